// report.js - the sections of the page.
(() => {
const R = hwtraceReport, D = R.data;
const span = BigInt(D.end) - BigInt(D.begin);
const cell = R.cell;
const sections = [];
const section = (id, title, ...content) => {
    const present = content.filter((one) => one !== null && one !== undefined);
    if (present.length) sections.push({ id, title, element: R.el('section', { id }, R.el('h2', {}, title), ...present) });
};
const note = (text) => R.el('p', { class: 'note' }, text);
const byScope = (item) => R.scopeName(item.scope);
const baseText = (base) => base.kind === 'ordinal' ? 'positions' : base.kind === 'cycles' ? (base.den === 0 ? 'cycles' : `cycles of ${R.ticks(1n, { kind: 'seconds', num: base.num, den: base.den }, 6)}`) : R.ticks(1n, base, 6);

/// Returns " = 3 µs" for a number of cycles whose length is known.
const seconds = (ticks) => D.unit.kind !== 'cycles' || BigInt(D.unit.den) === 0n ? '' : ' = ' + R.ticks(ticks, { ...D.unit, kind: 'seconds' }, 6);

// --- overview ---

const fact = (key, title, value, text, help) => R.el('div', { class: 'fact', title: help }, R.el('dt', {}, title), R.el('dd', { 'data-key': key, 'data-value': value }, text));
const overview = () => {
    const list = R.el('dl', { class: 'facts' },
        D.source === '' ? null : fact('source', 'Format', D.source, D.source),
        fact('records', 'Records', D.records, R.integer(D.records)),
        D.is_empty ? null : fact('span', 'Time span', String(span), R.length(span, 6) + seconds(span), R.exact(span, D.unit)),
        D.is_empty ? null : fact('begin', 'From', D.begin, R.time(0n, 6), R.exact(D.begin, D.unit)),
        D.is_empty ? null : fact('end', 'To', D.end, R.time(span, 6), R.exact(D.end, D.unit)),
        fact('unit', 'Unit of time', `${D.unit.num}/${D.unit.den}`, baseText(D.unit)),
        fact('scopes', 'Scopes', D.scope_count, R.integer(D.scope_count)),
        fact('tracks', 'Tracks', D.track_count, R.integer(D.track_count)),
        D.findings ? fact('verdict', 'Verdict of reading', D.findings.verdict, D.findings.verdict) : null);
    const kinds = R.table({ name: 'kinds', caption: 'Records by kind', columns: [{ key: 'kind', title: 'Kind' }, { key: 'count', title: 'Records', number: true }, { key: 'share', title: 'Share', number: true }],
        rows: Object.entries(D.kinds).map(([kind, count]) => [cell(kind), cell(BigInt(count)), cell(Number(count) / Math.max(Number(D.records), 1), R.percent(BigInt(count), BigInt(D.records)))]), sort: { column: 1, down: true } });
    const metadata = D.metadata.length === 0 ? null : R.table({ name: 'metadata', caption: 'Metadata', columns: [{ key: 'key', title: 'Key' }, { key: 'value', title: 'Value' }], page: 12,
        rows: D.metadata.map(([key, value]) => [cell(key), cell(value)]) });
    const O = D.omitted, notes = [];
    if (BigInt(O.slices_kept) < BigInt(O.slices)) notes.push(`The timeline draws ${R.integer(O.slices_kept)} of ${R.integer(O.slices)} slices and instants: in ${R.plural(O.rows_sampled, 'row')} marked \u2248, the longest ones and a uniform sample of the others. The shading behind them, all tables and all percentiles cover every record.`);
    if (BigInt(O.rows) > 0n) notes.push(`${R.plural(O.rows, 'row')} beyond the limit of the timeline: not drawn. Their records are in the tables.`);
    if (BigInt(O.curves) > 0n) notes.push(`${R.plural(O.curves, 'curve')} beyond the limit of the timeline: not drawn.`);
    if (BigInt(O.values) > 0n) notes.push(`${R.plural(O.values, 'value')} of numbers and table cells beyond the limits: counted, but not drawn.`);
    if (D.unknown_tracks > 0) notes.push(`Ticks of unknown length in ${R.plural(D.unknown_tracks, 'track')}: a tick is drawn as one unit of time.`);
    for (const assumption of D.assumptions) notes.push(`Assumed: ${assumption}.`);
    if (D.metadata.length < D.fact_count) notes.push(`${R.integer(D.metadata.length)} of ${R.integer(D.fact_count)} facts of the metadata are listed.`);
    section('overview', 'Overview', list, notes.length ? R.el('ul', { class: 'notices', id: 'omitted' }, ...notes.map((text) => R.el('li', {}, text))) : null,
        R.el('div', { class: 'columns' }, kinds, metadata));
};

const findings = () => {
    if (!D.findings) return;
    const totals = Object.entries(D.findings.totals), kept = D.findings.kept;
    const sum = totals.reduce((all, [, count]) => all + BigInt(count), 0n);
    if (sum === 0n) { section('findings', 'Findings', note('Reading the trace reported no problem. hwtrace-validate checks more.')); return; }
    section('findings', 'Findings', R.table({ name: 'findings-table', caption: `Problems found while reading`, columns: [{ key: 'rule', title: 'Rule' }, { key: 'severity', title: 'Severity' }, { key: 'offset', title: 'Byte', number: true }, { key: 'place', title: 'Place' }, { key: 'fault', title: 'Problem' }],
        rows: kept.map(([rule, severity, offset, place, fault]) => [cell(rule), cell(severity), cell(BigInt(offset)), cell(place), cell(fault)]) }),
        BigInt(kept.length) < sum ? note(`${R.integer(kept.length)} of ${R.integer(sum)} problems are listed: ` + totals.map(([rule, count]) => `${rule}: ${R.integer(count)}`).join(', ') + '.') : null);
};

// --- utilisation ---

const loads = () => {
    const list = D.scope_loads.map(({ scope, load }) => ({ scope, label: 'any interval', load, capacity: 1n, isScope: true }));
    for (const row of D.rows)
        if (row.load && row.capacity !== undefined && BigInt(row.load.total) > 0n) list.push({ scope: row.scope, label: row.label, load: row.load, capacity: BigInt(row.capacity) });
    const order = list.map((item, index) => ({ item, index }));
    order.sort((left, right) => (left.item.scope ?? -1) - (right.item.scope ?? -1) || Number(right.item.isScope ?? false) - Number(left.item.isScope ?? false) || left.index - right.index);
    const all = order.map(({ item }) => item);
    const headed = new Set(all.filter((item) => item.isScope).map((item) => item.scope));
    for (const item of all) item.title = item.isScope ? R.scopeName(item.scope) || 'trace' : headed.has(item.scope) ? item.label : R.inScope(item.scope, item.label);
    return all;
};
const heatColor = (share) => {
    const strength = Math.sqrt(Math.min(Math.max(share, 0), 1));
    return R.isDark() ? `hsl(${212 - 8 * strength} ${20 + 60 * strength}% ${15 + 52 * strength}%)` : `hsl(${208 + 10 * strength} ${35 + 40 * strength}% ${95 - 57 * strength}%)`;
};
const utilisation = () => {
    const rows = loads();
    if (rows.length === 0 || span === 0n) return;
    const labelWidth = 250, shareWidth = 64, axis = 20, tall = rows.length > 60 ? 12 : 18, binWidth = 2 ** D.bins.shift, origin = R.binOrigin(D.bins.shift), length = Number(span);
    const canvas = R.el('canvas', { id: 'heat', role: 'img', 'aria-label': 'Utilisation over time. The table below has the totals.' });
    const viewport = R.el('div', { class: 'viewport' }, canvas), spacer = R.el('div', { class: 'spacer' });
    viewport.append(spacer);
    let width = 0, height = 0;
    const shareOf = (row, bin) => {
        const index = bin - row.load.first, busy = Number(row.load.busy[index] ?? 0);
        const from = Math.max(origin + bin * binWidth, 0), to = Math.min(origin + (bin + 1) * binWidth, length);
        return { busy, share: to > from ? busy / ((to - from) * Number(row.capacity)) : 0, from, to };
    };
    const paint = () => {
        width = Math.max(420, viewport.clientWidth);
        height = Math.min(rows.length * tall + axis + 2, 480);
        viewport.style.height = height + 'px';
        spacer.style.height = Math.max(0, rows.length * tall + axis + 2 - height) + 'px';
        const context = R.context(canvas, width, height), plot = width - labelWidth - shareWidth;
        const x = (time) => labelWidth + time / length * plot;
        rows.forEach((row, index) => {
            const top = axis + index * tall - viewport.scrollTop;
            if (top + tall < axis || top > height) return;
            context.fillStyle = R.color('text');
            context.font = row.isScope ? '600 11px system-ui, sans-serif' : '11px system-ui, sans-serif';
            R.drawText(context, row.title, row.isScope ? 4 : 16, top + tall / 2, labelWidth - (row.isScope ? 10 : 22));
            context.fillStyle = heatColor(0);
            context.fillRect(labelWidth, top, plot, tall - 1);
            for (let i = 0; i < row.load.busy.length; ++i) {
                const { busy, share, from, to } = shareOf(row, row.load.first + i);
                if (busy === 0 || to <= from) continue;
                context.fillStyle = heatColor(share);
                const left = Math.floor(x(from));
                context.fillRect(left, top, Math.max(Math.floor(x(to)) - left, 1), tall - 1);
            }
            context.fillStyle = R.color('quiet');
            context.textAlign = 'right';
            context.fillText(R.percent(BigInt(row.load.total), span * row.capacity, 1), width - 6, top + tall / 2);
            context.textAlign = 'left';
        });
        context.font = '11px system-ui, sans-serif';
        context.fillStyle = R.color('panel');
        context.fillRect(0, 0, width, axis);
        context.fillStyle = R.color('quiet');
        context.fillText(R.time(0n), labelWidth, axis / 2);
        context.textAlign = 'right';
        context.fillText(R.time(span), width - shareWidth, axis / 2);
        context.textAlign = 'left';
    };
    canvas.addEventListener('pointermove', (event) => {
        const index = Math.floor((event.offsetY - axis + viewport.scrollTop) / tall), row = rows[index];
        const time = (event.offsetX - labelWidth) / (width - labelWidth - shareWidth) * length;
        if (event.offsetY < axis || row === undefined || time < 0 || time >= length) { R.showTip(event, null); return; }
        const { busy, from, to } = shareOf(row, Math.floor((time - origin) / binWidth));
        R.showTip(event, [row.isScope ? R.scopeName(row.scope) : R.inScope(row.scope, row.label), `${R.time(Math.round(from))} to ${R.time(Math.round(to))}`,
            `busy ${R.length(Math.round(busy))}: ${R.percent(BigInt(Math.round(busy)), BigInt(Math.round(to - from)) * row.capacity, 1)}` + (row.capacity > 1n ? ` of ${R.integer(row.capacity)} slots` : '')]);
    });
    canvas.addEventListener('pointerleave', (event) => R.showTip(event, null));
    viewport.addEventListener('scroll', paint);
    R.watch(viewport, paint);
    const legend = R.svg('svg', { width: 180, height: 12, role: 'img', 'aria-label': '0 to 100 percent' });
    const colorLegend = () => legend.replaceChildren(...Array.from({ length: 30 }, (unused, i) => R.svg('rect', { x: i * 6, y: 0, width: 6, height: 12, fill: heatColor(i / 29) })));
    R.watch(legend, colorLegend);
    colorLegend();
    const table = R.table({ name: 'utilisation-table', caption: 'Totals', page: 20, columns: [{ key: 'scope', title: 'Scope' }, { key: 'label', title: 'Type' }, { key: 'busy', title: 'Busy', number: true }, { key: 'capacity', title: 'Slots', number: true },
        { key: 'share', title: 'Utilisation', number: true, help: 'Busy time divided by the time span of the trace, and by the slots' }],
        rows: rows.map((row) => [cell(R.scopeName(row.scope)), cell(row.label), cell(BigInt(row.load.total), R.length(row.load.total), R.exact(BigInt(row.load.total), D.unit)), cell(row.capacity),
            cell(Number(BigInt(row.load.total) * 1000000n / (span * row.capacity)), R.percent(BigInt(row.load.total), span * row.capacity))]) });
    section('utilisation', 'Utilisation', R.el('div', { class: 'bar' }, note('The share of time in which something is in progress, by core, stream or table. Overlapping intervals count once; slots of a table count each.'), R.el('span', { class: 'gap' }), R.el('span', { class: 'note legend' }, '0 % ', legend, ' 100 %')), viewport, table);
};

// --- durations ---

const histogram = (type) => {
    const list = type.histogram, bars = [];
    for (let i = 0; i < list.length; i += 2) bars.push({ begin: BigInt(list[i]), count: Number(list[i + 1]) });
    const width = 720, height = 220, left = 64, bottom = 34, plot = width - left - 10, most = bars.reduce((high, bar) => Math.max(high, bar.count), 1);
    const log = (value) => Math.log2(Number(value) + 1);
    const low = log(bars[0].begin), high = Math.max(log(BigInt(type.greatest) + 1n), low + 0.2);
    const x = (value) => left + (log(value) - low) / (high - low) * plot;
    const svg = R.svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'histogram', role: 'img', 'aria-label': `Histogram of durations of ${type.label}` });
    bars.forEach((bar, i) => {
        const size = 1n << BigInt(Math.max(bar.begin.toString(2).length - 4, 0)), end = bar.begin + size;
        const begin = x(bar.begin), stop = Math.min(Math.max(x(end), begin + 2), left + plot), tall = Math.max(1, bar.count / most * (height - bottom - 14));
        svg.append(R.svg('rect', { class: 'bar-of', x: begin, y: height - bottom - tall, width: Math.max(stop - begin - 0.6, 1.4), height: tall },
            R.svg('title', {}, `${R.ticks(bar.begin, type.base, 6)}${size > 1n ? ' to ' + R.ticks(end - 1n, type.base, 6) : ''}: ${R.integer(bar.count)}`)));
    });
    const text = (at, y, anchor, content, name = '') => svg.append(R.svg('text', { x: at, y, 'text-anchor': anchor, class: name }, content));
    svg.append(R.svg('line', { x1: left, x2: left + plot, y1: height - bottom, y2: height - bottom, class: 'axis' }));
    text(left - 6, 18, 'end', R.integer(most));
    text(left - 6, height - bottom, 'end', '0');
    let lastEnd = -Infinity;
    const ticks = Array.from({ length: 64 }, (unused, power) => 1n << BigInt(power)).filter((at) => x(at) >= left && x(at) <= left + plot);
    if (ticks.length < 4) { // less than four powers of two: round numbers instead
        const from = bars[0].begin, size = BigInt(type.greatest) - from + 1n;
        let step = 10n ** BigInt(Math.max(String(size).length - 1, 0));
        if (size / step < 3n && step > 1n) step /= 5n;
        ticks.length = 0;
        for (let at = (from + step - 1n) / step * step; at <= from + size; at += step) ticks.push(at);
    }
    for (const at of ticks) {
        const px = x(at);
        if (px < left || px > left + plot || px - lastEnd < 74) continue;
        lastEnd = px;
        svg.append(R.svg('line', { x1: px, x2: px, y1: height - bottom, y2: height - bottom + 4, class: 'axis' }));
        text(px, height - bottom + 16, 'middle', R.ticks(at, type.base, 1));
    }
    let lastLabel = -Infinity, row = 0;
    for (const [name, key] of [['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99']]) {
        const px = x(BigInt(type[key]));
        row = px - lastLabel < 34 ? row + 1 : 0;
        lastLabel = px;
        svg.append(R.svg('line', { x1: px, x2: px, y1: 12 + row * 11, y2: height - bottom, class: 'percentile' }));
        if (px > left + plot - 30) text(px - 3, 20 + row * 11, 'end', name, 'percentile-name'); else text(px + 3, 20 + row * 11, 'start', name, 'percentile-name');
    }
    return svg;
};
const durations = () => {
    if (D.types.length === 0) return;
    const time = (type, value) => value === undefined ? cell(-1n, '\u2013') : cell(BigInt(value), R.ticks(value, type.base), R.exact(BigInt(value), type.base));
    const estimate = (type, value) => {
        const made = time(type, value);
        return type.is_exact === false ? { ...made, text: '\u2248' + made.text.replace(/^\u2248/, ''), title: made.title + ', up to 1/64 too small' } : made;
    };
    const chosen = D.types.map((type, index) => ({ type, index })).filter(({ type }) => type.histogram && type.histogram.length);
    const place = R.el('div', { class: 'chart' });
    const choice = R.el('select', { 'aria-label': 'Type of interval', onchange: (event) => showType(Number(event.target.value)) },
        ...chosen.slice(0, 400).map(({ type, index }) => R.el('option', { value: index }, R.inScope(type.scope, type.label))));
    const showType = (index) => {
        const type = D.types[index];
        if (!type || !type.histogram || !type.histogram.length) return;
        choice.value = String(index);
        place.replaceChildren(histogram(type), note(`${R.integer(type.count)} durations; p50 ${R.ticks(type.p50, type.base)}, p90 ${R.ticks(type.p90, type.base)}, p99 ${R.ticks(type.p99, type.base)}. The axis of durations is logarithmic.`));
    };
    const most = chosen.reduce((best, one) => best === null || BigInt(one.type.count) > BigInt(best.type.count) ? one : best, null);
    if (most !== null) showType(most.index);
    const columns = [{ key: 'scope', title: 'Scope' }, { key: 'type', title: 'Type' }, ...[['count', 'Count'], ['least', 'Min'], ['mean', 'Mean'], ['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99'], ['greatest', 'Max'], ['sum', 'Total']].map(([key, title]) => ({ key, title, number: true }))];
    const table = R.table({ name: 'types', caption: 'Durations by type', columns, sort: { column: 2, down: true }, select: showType,
        rows: D.types.map((type) => [cell(byScope(type)), cell(type.label), cell(BigInt(type.count)), time(type, type.count === 0 ? undefined : type.least),
            type.count === 0 ? cell(-1, '\u2013') : cell(Number(type.sum) / Number(type.count), R.ticks(type.sum, type.base, 3, BigInt(type.count)), `${R.integer(type.sum)} / ${R.integer(type.count)} ticks`),
            estimate(type, type.p50), estimate(type, type.p90), estimate(type, type.p99), time(type, type.count === 0 ? undefined : type.greatest), time(type, type.sum)]) });
    section('durations', 'Durations', table, chosen.length === 0 ? null : R.el('div', { class: 'bar' }, R.el('h3', {}, 'Histogram'), choice), place);
    if (D.names.length) {
        const typeOf = new Map(D.types.map((type) => [type.track, type]));
        section('names', 'Frequent names', R.table({ name: 'names-table', caption: 'Names of intervals', page: 20, sort: { column: 2, down: true },
            columns: [{ key: 'name', title: 'Name' }, { key: 'type', title: 'Type' }, { key: 'count', title: 'Count', number: true }, { key: 'total', title: 'Total', number: true }, { key: 'mean', title: 'Mean', number: true }],
            rows: D.names.map(([track, name, count, total]) => { const type = typeOf.get(track); return [cell(name), cell(R.inScope(type.scope, type.label)), cell(BigInt(count)), time(type, total), cell(Number(total) / Number(count), R.ticks(total, type.base, 3, BigInt(count)))]; }) }),
            note(`${R.integer(D.names.length)} of ${R.integer(D.names_counted)} names are listed.` + (BigInt(D.names_omitted) > 0n ? ` ${R.integer(D.names_omitted)} intervals with still other names are not counted here.` : '')));
    }
};

// --- instructions, numbers, tracks ---

const code = () => {
    const parts = [];
    for (const hart of D.code) {
        const all = BigInt(hart.instructions), list = R.el('dl', { class: 'facts' }), index = parts.length;
        const add = (key, title, value, text) => list.append(fact(key, title, value, text));
        if (hart.entities) for (const key of ['created', 'retired', 'flushed', 'in_flight']) add(key, key.replace('_', ' '), hart[key], R.integer(hart[key]));
        else for (const [key, title] of [['instructions', 'instructions'], ['loads', 'loads'], ['stores', 'stores'], ['taken', 'taken branches, jumps']]) add(key, title, hart[key], R.integer(hart[key]));
        const done = hart.entities ? BigInt(hart.retired) : all;
        if (hart.cycles !== undefined) {
            add('cycles', 'cycles', hart.cycles, R.integer(hart.cycles));
            add('ipc', 'IPC', '', R.ratio(done, BigInt(hart.cycles), 4));
        }
        parts.push(R.el('h3', { class: 'hart' }, hart.label), list);
        if (hart.pcs.length) {
            const columns = [{ key: 'pc', title: 'pc' }, { key: 'encoding', title: 'Encoding' }, { key: 'count', title: 'Executed', number: true }, { key: 'share', title: 'Share', number: true }];
            columns.push(...(hart.entities ? [['latency', 'Mean time in flight']] : [['loads', 'Loads'], ['stores', 'Stores'], ['taken', 'Taken']]).map(([key, title]) => ({ key, title, number: true })));
            parts.push(R.table({ name: `pcs-${index}`, caption: 'Hottest pcs', columns, page: 20, sort: { column: 2, down: true }, rows: hart.pcs.map(([pc, encoding, count, loadCount, storeCount, taken, latency]) =>
                [cell(pc), cell(encoding), cell(BigInt(count)), cell(Number(count), R.percent(BigInt(count), all)), ...(hart.entities ? [cell(Number(latency) / Number(count), R.ticks(latency, hart.base, 3, BigInt(count)))] : [cell(BigInt(loadCount)), cell(BigInt(storeCount)), cell(BigInt(taken))])]) }));
            parts.push(note(`${R.integer(hart.pcs.length)} of ${R.integer(hart.pcs_counted)} addresses are listed.` + (BigInt(hart.pcs_omitted) > 0n ? ` ${R.integer(hart.pcs_omitted)} executions of still other addresses are only in the totals.` : '')));
        }
        if (hart.blocks.length) parts.push(R.table({ name: `blocks-${index}`, caption: 'Hottest basic blocks', page: 20, sort: { column: 3, down: true },
            columns: [{ key: 'begin', title: 'From' }, { key: 'end', title: 'To before' }, { key: 'runs', title: 'Runs', number: true }, { key: 'instructions', title: 'Instructions', number: true }, { key: 'share', title: 'Share', number: true }],
            rows: hart.blocks.map(([begin, end, runs, instructions]) => [cell(begin), cell(end), cell(BigInt(runs)), cell(BigInt(instructions)), cell(Number(instructions), R.percent(BigInt(instructions), all))]) }),
            note('A block is a run of instructions up to a taken branch or a gap. Blocks that begin at the same address are one row.'));
    }
    if (parts.length) section('code', 'Instructions', ...parts);
};
const numbers = () => {
    const curves = D.curves.filter((curve) => curve.values !== 0);
    if (curves.length === 0) return;
    const value = (one) => cell(typeof one === 'string' && /^-?\d+$/.test(one) ? BigInt(one) : one, Number.isInteger(one) || /^-?\d+$/.test(String(one)) ? R.integer(one) : String(one));
    section('numbers', 'Counters and signals', note('The timeline draws them as curves. Between two values, the earlier one holds.'), R.table({ name: 'numbers-table', caption: 'Numbers over time', page: 25,
        columns: [{ key: 'scope', title: 'Scope' }, { key: 'label', title: 'Name' }, ...[['values', 'Values'], ['first', 'First'], ['least', 'Min'], ['greatest', 'Max'], ['last', 'Last']].map(([key, title]) => ({ key, title, number: true }))],
        rows: curves.map((curve) => [cell(byScope(curve)), cell(curve.label), cell(BigInt(curve.values)), value(curve.first), value(curve.least), value(curve.greatest), value(curve.last)]) }));
};
const tracks = () => {
    const time = (track, value) => value === undefined ? cell(-1n, '\u2013') : cell(BigInt(value), R.moment(value, track.base), R.exact(BigInt(value), track.base));
    const columns = [{ key: 'id', title: 'Id', number: true }, { key: 'scope', title: 'Scope' }, { key: 'label', title: 'Track' }, { key: 'kind', title: 'Kind' }, { key: 'records', title: 'Records', number: true }, { key: 'fields', title: 'Fields', number: true }, { key: 'unit', title: 'Unit' }, { key: 'first', title: 'First', number: true }, { key: 'last', title: 'Last', number: true }];
    const row = (track) => [cell(track.id), cell(byScope(track)), cell(track.label), cell(track.kind), cell(BigInt(track.records)), cell(track.fields), cell(baseText(track.base)), time(track, track.first), time(track, track.last)];
    const events = D.tracks.filter((track) => (track.kind === 'event' || track.kind === 'relation') && track.records !== 0);
    if (events.length) section('events', 'Events and relations', R.table({ name: 'events-table', caption: 'Records by type', page: 20, sort: { column: 4, down: true }, columns, rows: events.map(row) }));
    if (D.tracks.length) section('tracks', 'Tracks', R.table({ name: 'tracks-table', caption: 'All tracks', page: 25, columns, rows: D.tracks.map(row) }),
        D.tracks.length < D.track_count ? note(`${R.integer(D.tracks.length)} of ${R.integer(D.track_count)} tracks are listed.`) : null);
};

overview();
const timeline = D.is_empty ? null : R.makeTimeline();
if (timeline !== null) section('timeline-section', 'Timeline', timeline);
utilisation();
durations();
code();
numbers();
tracks();
findings();
document.getElementById('main').append(...sections.map(({ element }) => element));
document.getElementById('nav').append(...sections.map(({ id, title }) => R.el('a', { href: '#' + id }, title)));
document.documentElement.dataset.ready = 'yes';
})();
