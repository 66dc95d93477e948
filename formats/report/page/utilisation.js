// utilisation.js - the heat map of utilisation.
(() => {
    const R = hwtraceReport, D = R.data;
    const {cell, section, note, span} = R;

    const loads = () => {
        const list =
            D.scope_loads.map(({scope, load}) => ({scope, label: 'any interval', load, capacity: 1n, isScope: true}));
        for (const row of D.rows)
            if (row.load && row.capacity !== undefined && BigInt(row.load.total) > 0n)
                list.push({scope: row.scope, label: row.label, load: row.load, capacity: BigInt(row.capacity)});
        const order = list.map((item, index) => ({item, index}));
        order.sort(
            (left, right) => (left.item.scope ?? -1) - (right.item.scope ?? -1) ||
                Number(right.item.isScope ?? false) - Number(left.item.isScope ?? false) || left.index - right.index);
        const all = order.map(({item}) => item);
        const headed = new Set(all.filter((item) => item.isScope).map((item) => item.scope));
        for (const item of all)
            item.title = item.isScope  ? R.scopeName(item.scope) || 'trace' :
                headed.has(item.scope) ? item.label :
                                         R.inScope(item.scope, item.label);
        return all;
    };
    const heatColor = (share) => {
        const strength = Math.sqrt(Math.min(Math.max(share, 0), 1));
        return R.isDark() ? `hsl(${212 - 8 * strength} ${20 + 60 * strength}% ${15 + 52 * strength}%)` :
                            `hsl(${208 + 10 * strength} ${35 + 40 * strength}% ${95 - 57 * strength}%)`;
    };
    R.utilisation = () => {
        const rows = loads();
        if (rows.length === 0 || span === 0n) return;
        const labelWidth = 250, shareWidth = 64, axis = 20, tall = rows.length > 60 ? 12 : 18,
              binWidth = 2 ** D.bins.shift, origin = R.binOrigin(D.bins.shift), length = Number(span);
        const canvas = R.el(
            'canvas',
            {id: 'heat', role: 'img', 'aria-label': 'Utilisation over time. The table below has the totals.'});
        const viewport = R.el('div', {class: 'viewport'}, canvas), spacer = R.el('div', {class: 'spacer'});
        viewport.append(spacer);
        let width = 0, height = 0;
        const shareOf = (row, bin) => {
            const index = bin - row.load.first, busy = Number(row.load.busy[index] ?? 0);
            const from = Math.max(origin + bin * binWidth, 0), to = Math.min(origin + (bin + 1) * binWidth, length);
            return {busy, share: to > from ? busy / ((to - from) * Number(row.capacity)) : 0, from, to};
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
                R.drawText(
                    context, row.title, row.isScope ? 4 : 16, top + tall / 2, labelWidth - (row.isScope ? 10 : 22));
                context.fillStyle = heatColor(0);
                context.fillRect(labelWidth, top, plot, tall - 1);
                for (let i = 0; i < row.load.busy.length; ++i) {
                    const {busy, share, from, to} = shareOf(row, row.load.first + i);
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
            if (event.offsetY < axis || row === undefined || time < 0 || time >= length) {
                R.showTip(event, null);
                return;
            }
            const {busy, from, to} = shareOf(row, Math.floor((time - origin) / binWidth));
            R.showTip(event, [
                row.isScope ? R.scopeName(row.scope) : R.inScope(row.scope, row.label),
                `${R.time(Math.round(from))} to ${R.time(Math.round(to))}`,
                `busy ${R.length(Math.round(busy))}: ${
                    R.percent(BigInt(Math.round(busy)), BigInt(Math.round(to - from)) * row.capacity, 1)}` +
                    (row.capacity > 1n ? ` of ${R.integer(row.capacity)} slots` : '')
            ]);
        });
        canvas.addEventListener('pointerleave', (event) => R.showTip(event, null));
        viewport.addEventListener('scroll', paint);
        R.watch(viewport, paint);
        const legend = R.svg('svg', {width: 180, height: 12, role: 'img', 'aria-label': '0 to 100 percent'});
        const colorLegend = () => legend.replaceChildren(...Array.from(
            {length: 30},
            (unused, i) => R.svg('rect', {x: i * 6, y: 0, width: 6, height: 12, fill: heatColor(i / 29)})));
        R.watch(legend, colorLegend);
        colorLegend();
        const table = R.table({
            name: 'utilisation-table',
            caption: 'Totals',
            page: 20,
            columns: [
                {key: 'scope', title: 'Scope'}, {key: 'label', title: 'Type'},
                {key: 'busy', title: 'Busy', number: true}, {key: 'capacity', title: 'Slots', number: true}, {
                    key: 'share',
                    title: 'Utilisation',
                    number: true,
                    help: 'Busy time divided by the time span of the trace, and by the slots'
                }
            ],
            rows: rows.map(
                (row) =>
                    [cell(R.scopeName(row.scope)), cell(row.label),
                     cell(BigInt(row.load.total), R.length(row.load.total), R.exact(BigInt(row.load.total), D.unit)),
                     cell(row.capacity),
                     cell(
                         Number(BigInt(row.load.total) * 1000000n / (span * row.capacity)),
                         R.percent(BigInt(row.load.total), span * row.capacity))])
        });
        section(
            'utilisation', 'Utilisation',
            R.el(
                'div', {class: 'bar'},
                note(
                    'The share of time in which something is in progress, by core, stream or table. Overlapping intervals count once; slots of a table count each.'),
                R.el('span', {class: 'gap'}), R.el('span', {class: 'note legend'}, '0 % ', legend, ' 100 %')),
            viewport, table);
    };
})();
