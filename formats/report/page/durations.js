// durations.js - percentiles and histograms of durations, frequent names, hot code.
(() => {
    const R = hwtraceReport, D = R.data;
    const {cell, section, note, fact, byScope} = R;

    const histogram = (type) => {
        const list = type.histogram, bars = [];
        for (let i = 0; i < list.length; i += 2)
            bars.push({begin: BigInt(list[i]), count: Number(list[i + 1])});
        const width = 720, height = 220, left = 64, bottom = 34, plot = width - left - 10,
              most = bars.reduce((high, bar) => Math.max(high, bar.count), 1);
        const log = (value) => Math.log2(Number(value) + 1);
        const low = log(bars[0].begin), high = Math.max(log(BigInt(type.greatest) + 1n), low + 0.2);
        const x = (value) => left + (log(value) - low) / (high - low) * plot;
        const svg = R.svg('svg', {
            viewBox: `0 0 ${width} ${height}`,
            class: 'histogram',
            role: 'img',
            'aria-label': `Histogram of durations of ${type.label}`
        });
        bars.forEach((bar, i) => {
            const size = 1n << BigInt(Math.max(bar.begin.toString(2).length - 4, 0)), end = bar.begin + size;
            const begin = x(bar.begin), stop = Math.min(Math.max(x(end), begin + 2), left + plot),
                  tall = Math.max(1, bar.count / most * (height - bottom - 14));
            svg.append(R.svg(
                'rect', {
                    class: 'bar-of',
                    x: begin,
                    y: height - bottom - tall,
                    width: Math.max(stop - begin - 0.6, 1.4),
                    height: tall
                },
                R.svg(
                    'title', {},
                    `${R.ticks(bar.begin, type.base, 6)}${size > 1n ? ' to ' + R.ticks(end - 1n, type.base, 6) : ''}: ${
                        R.integer(bar.count)}`)));
        });
        const text = (at, y, anchor, content, name = '') =>
            svg.append(R.svg('text', {x: at, y, 'text-anchor': anchor, class: name}, content));
        svg.append(R.svg('line', {x1: left, x2: left + plot, y1: height - bottom, y2: height - bottom, class: 'axis'}));
        text(left - 6, 18, 'end', R.integer(most));
        text(left - 6, height - bottom, 'end', '0');
        let lastEnd = -Infinity;
        const ticks = Array.from({length: 64}, (unused, power) => 1n << BigInt(power))
                          .filter((at) => x(at) >= left && x(at) <= left + plot);
        if (ticks.length < 4) {  // less than four powers of two: round numbers instead
            const from = bars[0].begin, size = BigInt(type.greatest) - from + 1n;
            let step = 10n ** BigInt(Math.max(String(size).length - 1, 0));
            if (size / step < 3n && step > 1n) step /= 5n;
            ticks.length = 0;
            for (let at = (from + step - 1n) / step * step; at <= from + size; at += step)
                ticks.push(at);
        }
        for (const at of ticks) {
            const px = x(at);
            if (px < left || px > left + plot || px - lastEnd < 74) continue;
            lastEnd = px;
            svg.append(R.svg('line', {x1: px, x2: px, y1: height - bottom, y2: height - bottom + 4, class: 'axis'}));
            text(px, height - bottom + 16, 'middle', R.ticks(at, type.base, 1));
        }
        let lastLabel = -Infinity, row = 0;
        for (const [name, key] of [['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99']]) {
            const px = x(BigInt(type[key]));
            row = px - lastLabel < 34 ? row + 1 : 0;
            lastLabel = px;
            svg.append(R.svg('line', {x1: px, x2: px, y1: 12 + row * 11, y2: height - bottom, class: 'percentile'}));
            if (px > left + plot - 30)
                text(px - 3, 20 + row * 11, 'end', name, 'percentile-name');
            else
                text(px + 3, 20 + row * 11, 'start', name, 'percentile-name');
        }
        return svg;
    };
    R.durations = () => {
        if (D.types.length === 0) return;
        const time = (type, value) => value === undefined ?
            cell(-1n, '\u2013') :
            cell(BigInt(value), R.ticks(value, type.base), R.exact(BigInt(value), type.base));
        const estimate = (type, value) => {
            const made = time(type, value);
            return type.is_exact === false ? {
                ...made,
                text: '\u2248' + made.text.replace(/^\u2248/, ''),
                title: made.title + ', up to 1 % too small'
            } :
                                             made;
        };
        const chosen =
            D.types.map((type, index) => ({type, index})).filter(({type}) => type.histogram && type.histogram.length);
        const place = R.el('div', {class: 'chart'});
        const choice = R.el(
            'select', {'aria-label': 'Type of interval', onchange: (event) => showType(Number(event.target.value))},
            ...chosen.slice(0, 400).map(
                ({type, index}) => R.el('option', {value: index}, R.inScope(type.scope, type.label))));
        const showType = (index) => {
            const type = D.types[index];
            if (!type || !type.histogram || !type.histogram.length) return;
            choice.value = String(index);
            place.replaceChildren(
                histogram(type),
                note(`${R.integer(type.count)} durations; p50 ${R.ticks(type.p50, type.base)}, p90 ${
                    R.ticks(type.p90, type.base)}, p99 ${
                    R.ticks(type.p99, type.base)}. The axis of durations is logarithmic.`));
        };
        const most = chosen.reduce(
            (best, one) => best === null || BigInt(one.type.count) > BigInt(best.type.count) ? one : best, null);
        if (most !== null) showType(most.index);
        const columns = [
            {key: 'scope', title: 'Scope'}, {key: 'type', title: 'Type'},
            ...[['count', 'Count'], ['least', 'Min'], ['mean', 'Mean'], ['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99'],
                ['greatest', 'Max'], ['sum', 'Total']]
                .map(([key, title]) => ({key, title, number: true}))
        ];
        const table = R.table({
            name: 'types',
            caption: 'Durations by type',
            columns,
            sort: {column: 2, down: true},
            select: showType,
            rows: D.types.map(
                (type) =>
                    [cell(byScope(type)), cell(type.label), cell(BigInt(type.count)),
                     time(type, type.count === 0 ? undefined : type.least),
                     type.count === 0 ?
                         cell(-1, '\u2013') :
                         cell(
                             Number(type.sum) / Number(type.count), R.ticks(type.sum, type.base, 3, BigInt(type.count)),
                             `${R.integer(type.sum)} / ${R.integer(type.count)} ticks`),
                     estimate(type, type.p50), estimate(type, type.p90), estimate(type, type.p99),
                     time(type, type.count === 0 ? undefined : type.greatest), time(type, type.sum)])
        });
        section(
            'durations', 'Durations', table,
            chosen.length === 0 ? null : R.el('div', {class: 'bar'}, R.el('h3', {}, 'Histogram'), choice), place);
        if (D.names.length) {
            const typeOf = new Map(D.types.map((type) => [type.track, type]));
            section(
                'names', 'Frequent names', R.table({
                    name: 'names-table',
                    caption: 'Names of intervals',
                    page: 20,
                    sort: {column: 2, down: true},
                    columns: [
                        {key: 'name', title: 'Name'}, {key: 'type', title: 'Type'},
                        {key: 'count', title: 'Count', number: true}, {key: 'total', title: 'Total', number: true},
                        {key: 'mean', title: 'Mean', number: true}
                    ],
                    rows: D.names.map(([track, name, count, total]) => {
                        const type = typeOf.get(track);
                        return [
                            cell(name), cell(R.inScope(type.scope, type.label)), cell(BigInt(count)), time(type, total),
                            cell(Number(total) / Number(count), R.ticks(total, type.base, 3, BigInt(count)))
                        ];
                    })
                }),
                note(
                    `${R.integer(D.names.length)} of ${R.integer(D.names_counted)} names are listed.` +
                    (BigInt(D.names_omitted) > 0n ?
                         ` ${R.integer(D.names_omitted)} intervals with still other names are not counted here.` :
                         '')));
        }
    };

    // --- instructions ---

    R.code = () => {
        const parts = [];
        for (const hart of D.code) {
            const all = BigInt(hart.instructions), list = R.el('dl', {class: 'facts'}), index = parts.length;
            const add = (key, title, value, text) => list.append(fact(key, title, value, text));
            if (hart.entities)
                for (const key of ['created', 'retired', 'flushed', 'in_flight'])
                    add(key, key.replace('_', ' '), hart[key], R.integer(hart[key]));
            else
                for (const [key, title] of [
                         ['instructions', 'instructions'], ['loads', 'loads'], ['stores', 'stores'],
                         ['taken', 'taken branches, jumps']])
                    add(key, title, hart[key], R.integer(hart[key]));
            const done = hart.entities ? BigInt(hart.retired) : all;
            if (hart.cycles !== undefined) {
                add('cycles', 'cycles', hart.cycles, R.integer(hart.cycles));
                add('ipc', 'IPC', '', R.ratio(done, BigInt(hart.cycles), 4));
            }
            parts.push(R.el('h3', {class: 'hart'}, hart.label), list);
            if (hart.pcs.length) {
                const columns = [
                    {key: 'pc', title: 'pc'}, {key: 'encoding', title: 'Encoding'},
                    {key: 'count', title: 'Executed', number: true}, {key: 'share', title: 'Share', number: true}
                ];
                if (hart.pcs[0].length > 7) columns.splice(1, 0, {key: 'place', title: 'Function'});
                columns.push(...(hart.entities ? [['latency', 'Mean time in flight']] : [
                                 ['loads', 'Loads'], ['stores', 'Stores'], ['taken', 'Taken']
                             ]).map(([key, title]) => ({key, title, number: true})));
                parts.push(R.table({
                    name: `pcs-${index}`,
                    caption: 'Hottest pcs',
                    columns,
                    page: 20,
                    sort: {column: columns.findIndex(({key}) => key === 'count'), down: true},
                    rows: hart.pcs.map(
                        ([pc, encoding, count, loadCount, storeCount, taken, latency, place]) =>
                            [cell(pc), ...(place === undefined ? [] : [cell(place)]), cell(encoding),
                             cell(BigInt(count)), cell(Number(count), R.percent(BigInt(count), all)),
                             ...(hart.entities ?
                                     [cell(
                                         Number(latency) / Number(count),
                                         R.ticks(latency, hart.base, 3, BigInt(count)))] :
                                     [cell(BigInt(loadCount)), cell(BigInt(storeCount)), cell(BigInt(taken))])])
                }));
                parts.push(note(
                    `${R.integer(hart.pcs.length)} of ${R.integer(hart.pcs_counted)} addresses are listed.` +
                    (BigInt(hart.pcs_omitted) > 0n ?
                         ` ${R.integer(hart.pcs_omitted)} executions of still other addresses are only in the totals.` :
                         '')));
            }
            const named = hart.blocks.length && hart.blocks[0].length > 4;
            if (hart.blocks.length)
                parts.push(
                    R.table({
                        name: `blocks-${index}`,
                        caption: 'Hottest basic blocks',
                        page: 20,
                        sort: {column: named ? 4 : 3, down: true},
                        columns: [
                            {key: 'begin', title: 'From'}, {key: 'end', title: 'To before'},
                            ...(named ? [{key: 'place', title: 'Function'}] : []),
                            {key: 'runs', title: 'Runs', number: true},
                            {key: 'instructions', title: 'Instructions', number: true},
                            {key: 'share', title: 'Share', number: true}
                        ],
                        rows: hart.blocks.map(
                            ([begin, end, runs, instructions, place]) =>
                                [cell(begin), cell(end), ...(named ? [cell(place)] : []), cell(BigInt(runs)),
                                 cell(BigInt(instructions)),
                                 cell(Number(instructions), R.percent(BigInt(instructions), all))])
                    }),
                    note(
                        'A block is a run of instructions up to a taken branch or a gap. Blocks that begin at the same address are one row.'));
        }
        if (parts.length) section('code', 'Instructions', ...parts);
    };
})();
