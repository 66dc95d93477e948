// items.js - the items of the timeline, and the lines that describe what is under the pointer.
(() => {
    const R = hwtraceReport;
    const {curveHeight, instantHeight} = R.sizes;
    const {sliceName} = R;

    /// Numbers the lanes that occur from 0.
    const denseLanes = (lanes) => {
        const used = [...new Set(lanes)].sort((left, right) => left - right);
        const place = new Map(used.map((lane, index) => [lane, index]));
        return {lanes: lanes.map((lane) => place.get(lane)), names: used};
    };

    /// Makes the items of the timeline from the data: {kind, label, scope, height, ...}.
    R.makeItems = () => {
        const items = [];
        R.data.rows.forEach((row, index) => {
            const begin = (row.begin ?? []).map(Number), length = row.length?.map(Number);
            const {lanes, names} = row.lane ? denseLanes(row.lane.map(Number)) : {lanes: null, names: [0]};
            const laneHeight = names.length <= 1 ? 18 :
                names.length <= 64               ? 15 :
                names.length <= 160              ? 9 :
                names.length <= 500              ? 4 :
                                                   2;
            items.push({
                kind: length ? 'slices' : 'instants',
                row,
                index,
                scope: row.scope,
                label: row.label,
                begin,
                length,
                lanes,
                laneHeight,
                longest: length ? length.reduce((most, one) => Math.max(most, one), 0) : 0,
                laneNames: names,
                height: length ? names.length * laneHeight + 4 : instantHeight
            });
        });
        for (const rate of R.data.rates)
            for (const [key, title] of
                     [...(R.data.unit.kind === 'ordinal' ? [] : [['instructions', 'instructions']]), ['loads', 'loads'],
                      ['stores', 'stores'], ['taken', 'taken branches']])
                if (rate[key].some((count) => count !== 0))
                    items.push({
                        kind: 'rate',
                        rate,
                        key,
                        scope: rate.scope,
                        label: `${rate.label}: ${title}`,
                        height: curveHeight
                    });
        R.data.curves.forEach((curve) => {
            if (curve.values !== 0)
                items.push({kind: 'curve', curve, scope: curve.scope, label: curve.label, height: curveHeight});
        });
        return items.map((item, order) => ({item, order}))
            .sort((left, right) => (left.item.scope ?? -1) - (right.item.scope ?? -1) || left.order - right.order)
            .map(({item}) => item);
    };

    const valueText = R.valueText = (value) => typeof value === 'number' && !Number.isInteger(value) ? String(value) :
        /^-?\d+$/.test(String(value)) ? R.integer(value) :
                                        String(value);

    R.sliceLines = (item, index) => {
        const {row} = item, begin = BigInt(row.begin[index]), length = row.length ? BigInt(row.length[index]) : 0n;
        const lines =
            [sliceName(row, index) || row.label, `in ${R.inScope(row.scope, row.label)}`, `at ${R.time(begin)}`];
        if (row.length) lines.push(`lasts ${R.length(length)}`);
        return lines;
    };
    R.binLines = (entry, time) => {
        const lines = [R.inScope(entry.scope, entry.label), `at ${R.time(Math.round(time))}`];
        if (entry.kind === 'curve') {
            const {curve} = entry;
            if (curve.time) {
                let i = curve.time.length - 1;
                while (i >= 0 && Number(curve.time[i]) > time)
                    --i;
                lines.push(
                    i < 0                     ? 'no value yet' :
                    curve.value[i] === null ? 'no value' :
                                              `value ${valueText(curve.value[i])}`);
            } else {
                const i = Math.floor((time - Number(curve.bin_first)) / 2 ** curve.bin_shift);
                lines.push(
                    curve.low[i] === null || curve.low[i] === undefined ?
                        'no change here' :
                        `from ${valueText(curve.low[i])} to ${valueText(curve.high[i])}, last ${
                            valueText(curve.value[i])}`);
            }
        }
        if (entry.kind === 'rate') {
            const {rate, key} = entry, i = Math.floor((time - R.binOrigin(rate.shift)) / 2 ** rate.shift) - rate.first;
            lines.push(`${R.integer(rate[key][i] ?? 0)} in ${R.length(2 ** rate.shift)}`);
        }
        return lines;
    };
})();
