// report.js - puts the sections together.
(() => {
    const R = hwtraceReport;
    R.overview();
    const timeline = R.data.is_empty ? null : R.makeTimeline();
    if (timeline !== null) R.section('timeline-section', 'Timeline', timeline);
    R.utilisation();
    R.durations();
    R.code();
    R.calls();
    R.numbers();
    R.tracks();
    R.findings();
    document.getElementById('main').append(...R.sections.map(({element}) => element));
    document.getElementById('nav').append(...R.sections.map(({id, title}) => R.el('a', {href: '#' + id}, title)));
    document.documentElement.dataset.ready = 'yes';
})();
