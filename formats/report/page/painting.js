// painting.js - draws the rows of the timeline.
(() => {
    const R = hwtraceReport;
    const {labelWidth, axisHeight} =
        R.sizes = {labelWidth: 210, axisHeight: 24, groupHeight: 20, curveHeight: 38, instantHeight: 18};

    /// Returns the first index whose value is at least `value`.
    const lowerBound = R.lowerBound = (list, value) => {
        let low = 0, high = list.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (list[middle] < value)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    R.sliceName = (row, index) => R.data.texts[row.name instanceof Array ? row.name[index] : row.name] ?? '';
    const sliceName = R.sliceName;

    /// Returns the functions that paint items of each kind. scene: {view, width, height, x(time), chosen, isMatch}.
    R.makePainters = (scene) => {
        const {x} = scene;
        const paintAxis = (context) => {
            context.fillStyle = R.color('panel');
            context.fillRect(0, 0, scene.width, axisHeight);
            context.strokeStyle = R.color('line');
            context.fillStyle = R.color('quiet');
            context.textAlign = 'center';
            let step = 10 ** Math.floor(Math.log10(scene.view.length / Math.max((scene.width - labelWidth) / 120, 1)));
            while (scene.view.length / step > (scene.width - labelWidth) / 110)
                step *= step.toExponential().startsWith('2') ? 2.5 : 2;
            step = Math.max(1, Math.round(step));
            const origin = BigInt(R.data.begin),
                  offset = Number(((origin % BigInt(step)) + BigInt(step)) % BigInt(step));
            context.beginPath();
            for (let mark = Math.ceil((scene.view.begin + offset) / step) * step - offset;
                 mark <= scene.view.begin + scene.view.length; mark += step) {
                const at = Math.round(x(mark)) + 0.5;
                if (at < labelWidth) continue;
                context.moveTo(at, axisHeight - 5);
                context.lineTo(at, scene.height);
                const text = R.time(Math.round(mark));
                const half = context.measureText(text).width / 2;
                if (at - half > labelWidth && at + half < scene.width)
                    context.fillText(text, at, axisHeight / 2 - 1);
                else if (at < labelWidth + 2)
                    context.fillText(text, at + half + 3, axisHeight / 2 - 1);
            }
            context.stroke();
            context.textAlign = 'left';
        };
        const paintLoad = (context, row, top, tall) => {
            const load = row.load, bins = R.data.bins, binWidth = 2 ** bins.shift, tallest = 40;
            if (!load) return;
            top += Math.max(0, tall - tallest);
            tall = Math.min(tall, tallest);
            const first = R.binOrigin(bins.shift);
            const isCounted = row.instants || load.busy.every((busy) => busy === 0);
            const values = isCounted ? load.count : load.busy;
            const most = isCounted ? values.reduce((high, one) => Math.max(high, Number(one)), 1) :
                                     binWidth * Number(row.capacity ?? 1);
            context.fillStyle = R.color('load');
            for (let i = 0; i < values.length; ++i) {
                if (Number(values[i]) === 0) continue;
                const begin = x(first + (load.first + i) * binWidth), end = x(first + (load.first + i + 1) * binWidth);
                if (end < labelWidth || begin > scene.width) continue;
                const part = Math.min(1, Number(values[i]) / most) * tall;
                context.fillRect(
                    Math.max(begin, labelWidth), top + tall - part, end - Math.max(begin, labelWidth), part);
            }
        };
        const paintSlices = (context, entry, top) => {
            const {row, begin, length, lanes, laneHeight} = entry;
            if (begin.length < Number(row.total)) paintLoad(context, row, top + 1, entry.height - 2);
            const lastPixel = new Map(), from = lowerBound(begin, scene.view.begin - entry.longest);
            for (let i = from; i < begin.length && begin[i] <= scene.view.begin + scene.view.length; ++i) {
                const end = begin[i] + length[i];
                if (end < scene.view.begin) continue;
                const lane = lanes ? lanes[i] : 0, left = Math.max(x(begin[i]), labelWidth),
                      right = Math.min(x(end), scene.width);
                const y = top + 2 + lane * laneHeight, tall = Math.max(laneHeight - 1, 1),
                      wide = Math.max(right - left, 1);
                const isChosen = scene.chosen !== null && scene.chosen.item === entry.item && scene.chosen.index === i;
                if (y + tall < axisHeight || y > scene.height) continue;
                if (wide <= 1 && !isChosen && scene.isMatch === null && lastPixel.get(lane) === Math.floor(left))
                    continue;
                lastPixel.set(lane, Math.floor(left));
                const name = sliceName(row, i), found = scene.isMatch === null || scene.isMatch(entry.item, i);
                context.globalAlpha = found ? 1 : 0.18;
                context.fillStyle = R.nameColor(name);
                context.fillRect(left, y, wide, tall);
                const parts = wide > 3 && row.parts ? row.parts[i] : null;
                if (parts && parts.length)
                    paintParts(context, parts, begin[i], y, tall);
                else if (wide > 14 && tall > 8) {
                    context.fillStyle = R.color('ink');
                    R.drawText(context, name, left + 3, y + tall / 2 + 0.5, wide - 5);
                }
                if (wide > 3 && tall > 3) {
                    context.fillStyle = R.color('edge');
                    context.fillRect(left, y, 1, tall);
                }
                if (isChosen) {
                    context.strokeStyle = R.color('accent');
                    context.lineWidth = 2;
                    context.strokeRect(left, y, wide, tall);
                    context.lineWidth = 1;
                }
            }
            context.globalAlpha = 1;
        };
        const paintParts = (context, parts, begin, y, tall) => {
            for (let p = 0; p < parts.length; p += 4) {
                const left = Math.max(x(begin + Number(parts[p + 2])), labelWidth),
                      right = Math.min(x(begin + Number(parts[p + 2]) + Number(parts[p + 3])), scene.width);
                const lane = Number(parts[p + 1]);
                if (right < labelWidth || left > scene.width) continue;
                const name = R.data.texts[parts[p]], inset = lane === 0 || tall < 6 ? 0 : Math.floor(tall / 2);
                context.fillStyle = R.nameColor(name);
                context.fillRect(left, y + inset, Math.max(right - left, 0.5), tall - inset);
                if (right - left > 14 && tall - inset > 8) {
                    context.fillStyle = R.color('ink');
                    R.drawText(context, name, left + 2, y + inset + (tall - inset) / 2 + 0.5, right - left - 3);
                }
            }
        };
        const paintInstants = (context, entry, top) => {
            const {row, begin} = entry, middle = top + entry.height / 2;
            paintLoad(context, row, top + 1, entry.height - 2);
            let last = -1;
            for (let i = lowerBound(begin, scene.view.begin);
                 i < begin.length && begin[i] <= scene.view.begin + scene.view.length; ++i) {
                const at = x(begin[i]),
                      isChosen = scene.chosen !== null && scene.chosen.item === entry.item && scene.chosen.index === i;
                const found = scene.isMatch === null || scene.isMatch(entry.item, i);
                if (at - last < 1 && !isChosen && scene.isMatch === null) continue;
                last = at;
                context.globalAlpha = found ? 1 : 0.18;
                context.fillStyle = isChosen ? R.color('accent') : R.color('mark');
                context.beginPath();
                context.moveTo(at, middle - 5);
                context.lineTo(at + 4, middle);
                context.lineTo(at, middle + 5);
                context.lineTo(at - 4, middle);
                context.fill();
            }
            context.globalAlpha = 1;
        };
        const scaleOf = (low, high) =>
            low === high ? [low - 1, high + 1] : [Math.min(low, 0 <= low && low < high / 2 ? 0 : low), high];
        const paintCurve = (context, entry, top) => {
            const {curve} = entry, [low, high] = scaleOf(Number(curve.least), Number(curve.greatest));
            if (!Number.isFinite(low) || !Number.isFinite(high)) return;
            const y = (value) => top + entry.height - 3 - (Number(value) - low) / (high - low) * (entry.height - 6);
            context.fillStyle = context.strokeStyle = R.color('curve');
            context.beginPath();
            let level = null;
            const point = (at, value) => {
                if (level === null)
                    context.moveTo(at, y(value));
                else {
                    context.lineTo(at, level);
                    context.lineTo(at, y(value));
                }
                level = y(value);
            };
            const gap = (at) => {
                if (level !== null) context.lineTo(at, level);
                level = null;
            };
            const inside = (at) => Math.min(Math.max(at, labelWidth - 1), scene.width + 1);
            const isNumber = (value) => value !== null && Number.isFinite(Number(value));
            if (curve.time)
                curve.time.forEach((time, i) => {
                    if (isNumber(curve.value[i]))
                        point(inside(x(Number(time))), curve.value[i]);
                    else
                        gap(inside(x(Number(time))));
                });
            else {
                const first = Number(curve.bin_first), binWidth = 2 ** curve.bin_shift;
                context.globalAlpha = 0.35;
                curve.low.forEach((value, i) => {
                    if (value === null) return;
                    const left = Math.max(x(first + i * binWidth), labelWidth), right = x(first + (i + 1) * binWidth);
                    if (right > labelWidth && left < scene.width)
                        context.fillRect(
                            left, y(curve.high[i]), Math.max(right - left, 1),
                            Math.max(1, y(value) - y(curve.high[i])));
                });
                context.globalAlpha = 1;
                const ended = new Set((curve.ended ?? []).map(Number));
                curve.value.forEach((value, i) => {
                    if (isNumber(value)) point(inside(x(first + (i + 0.5) * binWidth)), value);
                    if (ended.has(i)) gap(inside(x(first + (i + (value === null ? 0 : 1)) * binWidth)));
                });
            }
            if (level !== null) context.lineTo(scene.width, level);
            context.stroke();
        };
        const paintRate = (context, entry, top) => {
            const {rate, key} = entry, binWidth = 2 ** rate.shift, origin = R.binOrigin(rate.shift);
            const most = rate[key].reduce((high, one) => Math.max(high, Number(one)), 1);
            context.fillStyle = R.color('curve');
            rate[key].forEach((count, i) => {
                const left = Math.max(x(origin + (rate.first + i) * binWidth), labelWidth),
                      right = Math.min(x(origin + (rate.first + i + 1) * binWidth), scene.width);
                if (right <= labelWidth || left >= scene.width) return;
                const tall = Number(count) / most * (entry.height - 5);
                context.fillRect(
                    Math.floor(left), top + entry.height - 2 - tall, Math.max(Math.floor(right) - Math.floor(left), 1),
                    tall);
            });
        };
        return {axis: paintAxis, slices: paintSlices, instants: paintInstants, curve: paintCurve, rate: paintRate};
    };
})();
