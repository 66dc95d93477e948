// overview.js - the sections of general facts: overview, findings, numbers, tracks.
(() => {
    const R = hwtraceReport, D = R.data, {cell} = R;
    const span = R.span = BigInt(D.end) - BigInt(D.begin);
    const sections = R.sections = [];
    const section = R.section = (id, title, ...content) => {
        const present = content.filter((one) => one !== null && one !== undefined);
        if (present.length)
            sections.push({id, title, element: R.el('section', {id}, R.el('h2', {}, title), ...present)});
    };
    const note = R.note = (text) => R.el('p', {class: 'note'}, text);
    const byScope = R.byScope = (item) => R.scopeName(item.scope);
    const baseText = R.baseText = (base) => base.kind === 'ordinal' ?
        'positions' :
        base.kind === 'cycles' ?
        (base.den === 0 ? 'cycles' : `cycles of ${R.ticks(1n, {kind: 'seconds', num: base.num, den: base.den}, 6)}`) :
                          R.ticks(1n, base, 6);

    /// Returns " = 3 µs" for a number of cycles whose length is known.
    const seconds = (ticks) => D.unit.kind !== 'cycles' || BigInt(D.unit.den) === 0n ?
        '' :
        ' = ' + R.ticks(ticks, {...D.unit, kind: 'seconds'}, 6);

    const fact = R.fact = (key, title, value, text, help) => R.el(
        'div', {class: 'fact', title: help}, R.el('dt', {}, title),
        R.el('dd', {'data-key': key, 'data-value': value}, text));

    // --- overview ---

    R.overview = () => {
        const list = R.el(
            'dl', {class: 'facts'}, D.source === '' ? null : fact('source', 'Format', D.source, D.source),
            fact('records', 'Records', D.records, R.integer(D.records)),
            D.is_empty ?
                null :
                fact('span', 'Time span', String(span), R.length(span, 6) + seconds(span), R.exact(span, D.unit)),
            D.is_empty ? null : fact('begin', 'From', D.begin, R.time(0n, 6), R.exact(D.begin, D.unit)),
            D.is_empty ? null : fact('end', 'To', D.end, R.time(span, 6), R.exact(D.end, D.unit)),
            fact('unit', 'Unit of time', `${D.unit.num}/${D.unit.den}`, baseText(D.unit)),
            fact('scopes', 'Scopes', D.scope_count, R.integer(D.scope_count)),
            fact('tracks', 'Tracks', D.track_count, R.integer(D.track_count)),
            D.findings ? fact('verdict', 'Verdict of reading', D.findings.verdict, D.findings.verdict) : null);
        const kinds = R.table({
            name: 'kinds',
            caption: 'Records by kind',
            columns: [
                {key: 'kind', title: 'Kind'}, {key: 'count', title: 'Records', number: true},
                {key: 'share', title: 'Share', number: true}
            ],
            rows: Object.entries(D.kinds).map(
                ([kind, count]) =>
                    [cell(kind), cell(BigInt(count)),
                     cell(
                         Number(count) / Math.max(Number(D.records), 1), R.percent(BigInt(count), BigInt(D.records)))]),
            sort: {column: 1, down: true}
        });
        const metadata = D.metadata.length === 0 ? null : R.table({
            name: 'metadata',
            caption: 'Metadata',
            columns: [{key: 'key', title: 'Key'}, {key: 'value', title: 'Value'}],
            page: 12,
            rows: D.metadata.map(([key, value]) => [cell(key), cell(value)])
        });
        const O = D.omitted, notes = [];
        if (BigInt(O.slices_kept) < BigInt(O.slices))
            notes.push(`The timeline draws ${R.integer(O.slices_kept)} of ${
                R.integer(O.slices)} slices and instants: in ${
                R.plural(
                    O.rows_sampled,
                    'row')} marked \u2248, the longest ones and a uniform sample of the others. The shading behind them, all tables and all percentiles cover every record.`);
        if (BigInt(O.rows) > 0n)
            notes.push(`${
                R.plural(
                    O.rows, 'row')} beyond the limit of the timeline: not drawn. Their records are in the tables.`);
        if (BigInt(O.curves) > 0n)
            notes.push(`${R.plural(O.curves, 'curve')} beyond the limit of the timeline: not drawn.`);
        if (BigInt(O.values) > 0n)
            notes.push(
                `${R.plural(O.values, 'value')} of numbers and table cells beyond the limits: counted, but not drawn.`);
        if (D.unknown_tracks > 0)
            notes.push(`Ticks of unknown length in ${
                R.plural(D.unknown_tracks, 'track')}: a tick is drawn as one unit of time.`);
        for (const assumption of D.assumptions)
            notes.push(`Assumed: ${assumption}.`);
        if (D.metadata.length < D.fact_count)
            notes.push(
                `${R.integer(D.metadata.length)} of ${R.integer(D.fact_count)} facts of the metadata are listed.`);
        section(
            'overview', 'Overview', list,
            notes.length ? R.el('ul', {class: 'notices', id: 'omitted'}, ...notes.map((text) => R.el('li', {}, text))) :
                           null,
            R.el('div', {class: 'columns'}, kinds, metadata));
    };

    R.findings = () => {
        if (!D.findings) return;
        const totals = Object.entries(D.findings.totals), kept = D.findings.kept;
        const sum = totals.reduce((all, [, count]) => all + BigInt(count), 0n);
        if (sum === 0n) {
            section(
                'findings', 'Findings', note('Reading the trace reported no problem. hwtrace-validate checks more.'));
            return;
        }
        section(
            'findings', 'Findings', R.table({
                name: 'findings-table',
                caption: `Problems found while reading`,
                columns: [
                    {key: 'rule', title: 'Rule'}, {key: 'severity', title: 'Severity'},
                    {key: 'offset', title: 'Byte', number: true}, {key: 'place', title: 'Place'},
                    {key: 'fault', title: 'Problem'}
                ],
                rows:
                    kept.map(([rule, severity, offset, place,
                               fault]) => [cell(rule), cell(severity), cell(BigInt(offset)), cell(place), cell(fault)])
            }),
            BigInt(kept.length) < sum ?
                note(
                    `${R.integer(kept.length)} of ${R.integer(sum)} problems are listed: ` +
                    totals.map(([rule, count]) => `${rule}: ${R.integer(count)}`).join(', ') + '.') :
                null);
    };

    R.numbers = () => {
        const curves = D.curves.filter((curve) => curve.values !== 0);
        if (curves.length === 0) return;
        const value = (one) => cell(
            typeof one === 'string' && /^-?\d+$/.test(one) ? BigInt(one) : one,
            Number.isInteger(one) || /^-?\d+$/.test(String(one)) ? R.integer(one) : String(one));
        section(
            'numbers', 'Counters and signals',
            note('The timeline draws them as curves. Between two values, the earlier one holds.'), R.table({
                name: 'numbers-table',
                caption: 'Numbers over time',
                page: 25,
                columns: [
                    {key: 'scope', title: 'Scope'}, {key: 'label', title: 'Name'},
                    ...[['values', 'Values'], ['first', 'First'], ['least', 'Min'], ['greatest', 'Max'],
                        ['last', 'Last']]
                        .map(([key, title]) => ({key, title, number: true}))
                ],
                rows: curves.map(
                    (curve) =>
                        [cell(byScope(curve)), cell(curve.label), cell(BigInt(curve.values)), value(curve.first),
                         value(curve.least), value(curve.greatest), value(curve.last)])
            }));
    };
    R.tracks = () => {
        const time = (track, value) => value === undefined ?
            cell(-1n, '\u2013') :
            cell(BigInt(value), R.moment(value, track.base), R.exact(BigInt(value), track.base));
        const columns = [
            {key: 'id', title: 'Id', number: true}, {key: 'scope', title: 'Scope'}, {key: 'label', title: 'Track'},
            {key: 'kind', title: 'Kind'}, {key: 'records', title: 'Records', number: true},
            {key: 'fields', title: 'Fields', number: true}, {key: 'unit', title: 'Unit'},
            {key: 'first', title: 'First', number: true}, {key: 'last', title: 'Last', number: true}
        ];
        const row = (track) =>
            [cell(track.id), cell(byScope(track)), cell(track.label), cell(track.kind), cell(BigInt(track.records)),
             cell(track.fields), cell(baseText(track.base)), time(track, track.first), time(track, track.last)];
        const events =
            D.tracks.filter((track) => (track.kind === 'event' || track.kind === 'relation') && track.records !== 0);
        if (events.length)
            section('events', 'Events and relations', R.table({
                name: 'events-table',
                caption: 'Records by type',
                page: 20,
                sort: {column: 4, down: true},
                columns,
                rows: events.map(row)
            }));
        if (D.tracks.length)
            section(
                'tracks', 'Tracks',
                R.table({name: 'tracks-table', caption: 'All tracks', page: 25, columns, rows: D.tracks.map(row)}),
                D.tracks.length < D.track_count ?
                    note(`${R.integer(D.tracks.length)} of ${R.integer(D.track_count)} tracks are listed.`) :
                    null);
    };
})();
