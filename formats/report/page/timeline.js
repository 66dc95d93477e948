// timeline.js - the timeline: rows of slices, instants, curves and rates on one axis of time.
(() => {
    const R = hwtraceReport;
    const {labelWidth, axisHeight, groupHeight} = R.sizes;
    const {lowerBound, sliceName} = R;

    R.makeTimeline = () => {
        const items = R.makeItems();
        if (items.length === 0) return null;
        const span = Math.max(Number(BigInt(R.data.end) - BigInt(R.data.begin)), 1);
        const canvas = R.el('canvas', {
            id: 'timeline',
            tabindex: 0,
            role: 'application',
            'aria-label':
                'Timeline. Left and right arrows move, plus and minus zoom, 0 shows everything, slash searches.'
        });
        const spacer = R.el('div', {class: 'spacer'});
        const viewport = R.el('div', {class: 'viewport'}, canvas, spacer);
        const details = R.el(
            'div', {class: 'details', 'aria-live': 'polite'},
            R.el('p', {class: 'note'}, 'Click a slice to see its values.'));
        const place = R.el('output', {class: 'note'});
        const collapsed = new Set();
        const scene = {
            view: {begin: 0, length: span},
            width: 0,
            height: 0,
            chosen: null,
            isMatch: null,
            x: (time) => labelWidth + (time - view.begin) / view.length * (scene.width - labelWidth)
        };
        const {view} = scene;
        let rowFilter = [], layout = [], total = 0, matches = [], match = -1, pending = false;

        const arrange = () => {
            layout = [];
            let top = axisHeight, last;
            for (const item of items) {
                if (rowFilter.length &&
                    !rowFilter.every((word) => R.inScope(item.scope, item.label).toLowerCase().includes(word)))
                    continue;
                if (layout.length === 0 || item.scope !== last) {
                    layout.push({
                        kind: 'group',
                        scope: item.scope,
                        label: item.scope === undefined ? '(no scope)' : R.scopeName(item.scope),
                        top,
                        height: groupHeight
                    });
                    top += groupHeight;
                    last = item.scope;
                }
                if (collapsed.has(item.scope)) continue;
                layout.push({...item, item, top});
                top += item.height + 3;
            }
            total = top + 4;
            spacer.style.height = Math.max(0, total - scene.height) + 'px';
        };
        const resize = () => {
            scene.width = Math.max(320, viewport.clientWidth);
            scene.height = Math.min(Math.max(total, 120), Math.max(260, Math.round(window.innerHeight * 0.68)));
            viewport.style.height = scene.height + 'px';
            spacer.style.height = Math.max(0, total - scene.height) + 'px';
            draw();
        };
        const draw = () => {
            if (pending) return;
            pending = true;
            requestAnimationFrame(() => {
                pending = false;
                paint();
            });
        };
        const timeAt = (pixel) => view.begin + (pixel - labelWidth) / (scene.width - labelWidth) * view.length;
        const least = () => Math.min(span, 4);
        const show = (begin, length) => {
            view.length = Math.min(Math.max(length, least()), span);
            view.begin = Math.min(Math.max(begin, 0), span - view.length);
            draw();
        };
        const zoom = (factor, around = view.begin + view.length / 2) => {
            const length = Math.min(Math.max(view.length * factor, least()), span);
            show(around - (around - view.begin) * length / view.length, length);
        };

        const painters = R.makePainters(scene);
        const paint = () => {
            if (scene.width === 0) return;  // resize() has not run yet
            const context = R.context(canvas, scene.width, scene.height), scroll = viewport.scrollTop;
            painters.axis(context);
            context.save();
            context.beginPath();
            context.rect(0, axisHeight, scene.width, scene.height - axisHeight);
            context.clip();
            for (const entry of layout) {
                const top = entry.top - scroll;
                if (top + entry.height < axisHeight || top > scene.height) continue;
                if (entry.kind === 'group') {
                    context.fillStyle = R.color('panel');
                    context.fillRect(0, top, scene.width, entry.height);
                    context.fillStyle = R.color('text');
                    context.font = '600 11px system-ui, sans-serif';
                    R.drawText(
                        context, (collapsed.has(entry.scope) ? '\u25b8 ' : '\u25be ') + entry.label, 6,
                        top + entry.height / 2, scene.width - 12);
                    context.font = '11px system-ui, sans-serif';
                    continue;
                }
                context.save();
                context.beginPath();
                context.rect(labelWidth, top, scene.width - labelWidth, entry.height);
                context.clip();
                painters[entry.kind](context, entry, top);
                context.restore();
                context.fillStyle = R.color('text');
                const isSampled = entry.row && (entry.row.begin ?? []).length < Number(entry.row.total);
                const middle = entry.kind === 'slices' ? top + Math.min(entry.height / 2, 12) :
                                                         top + (entry.kind === 'instants' ? entry.height / 2 : 11);
                R.drawText(context, entry.label, 18, middle, labelWidth - 26 - (isSampled ? 14 : 0));
                context.fillStyle = R.color('quiet');
                if (isSampled) context.fillText('\u2248', labelWidth - 14, middle);
                if (entry.kind === 'curve')
                    R.drawText(
                        context, `${R.valueText(entry.curve.least)} \u2026 ${R.valueText(entry.curve.greatest)}`, 18,
                        top + 26, labelWidth - 26);
                context.fillStyle = R.color('line');
                context.fillRect(0, top + entry.height + 1, scene.width, 0.5);
            }
            context.restore();
            context.fillStyle = R.color('line');
            context.fillRect(labelWidth - 0.5, 0, 1, scene.height);
            place.textContent = `${R.time(Math.round(view.begin))} to ${
                R.time(Math.round(view.begin + view.length))}, ${R.length(Math.round(view.length))} shown`;
        };

        // --- what is under the pointer ---

        const hit = (px, py) => {
            const y = py + viewport.scrollTop;
            if (py < axisHeight) return null;
            const entry = layout.find((one) => y >= one.top && y < one.top + one.height);
            if (entry === undefined || entry.kind === 'group' || px < labelWidth)
                return entry === undefined ? null : {entry, index: null};
            const time = timeAt(px), slack = view.length / (scene.width - labelWidth) * 4;
            if (!entry.begin) return {entry, index: null, time};
            const lane = entry.lanes ? Math.floor((y - entry.top - 2) / entry.laneHeight) : 0;
            let best = null, distance = Infinity;
            for (let i = lowerBound(entry.begin, time - entry.longest - slack);
                 i < entry.begin.length && entry.begin[i] <= time + slack; ++i) {
                if (entry.lanes && entry.lanes[i] !== lane) continue;
                const away = time < entry.begin[i] ?
                    entry.begin[i] - time :
                    Math.max(0, time - entry.begin[i] - (entry.length ? entry.length[i] : 0));
                if (away <= slack && away <= distance) {
                    best = i;
                    distance = away;
                }
            }
            return {entry, index: best, time};
        };
        const choose = (item, index) => {
            scene.chosen = {item, index};
            const {row} = item, begin = BigInt(row.begin[index]), list = R.el('dl');
            const add = (name, value) => list.append(R.el('dt', {}, name), R.el('dd', {}, value));
            add('row', R.inScope(row.scope, row.label));
            add('begin', R.exact(BigInt(R.data.begin) + begin, R.data.unit));
            if (row.length) {
                add('end', R.exact(BigInt(R.data.begin) + begin + BigInt(row.length[index]), R.data.unit));
                add('duration', R.exact(BigInt(row.length[index]), R.data.unit));
            }
            for (const line of (row.details?.[row.detail[index]] ?? '').split('\n')) {
                const colon = line.indexOf(': ');
                if (line !== '') add(colon < 0 ? '' : line.slice(0, colon), colon < 0 ? line : line.slice(colon + 2));
            }
            const parts = row.parts?.[index] ?? [];
            for (let p = 0; p < parts.length; p += 4)
                add(R.data.texts[parts[p]],
                    `${R.time(begin + BigInt(parts[p + 2]))}, ${R.length(BigInt(parts[p + 3]))}` +
                        (parts[p + 1] === 0 ? '' : `, lane ${parts[p + 1]}`));
            details.replaceChildren(R.el('h4', {}, sliceName(row, index) || row.label), list);
            draw();
        };
        /// Moves the view so that a slice is visible.
        const reveal = (item, index) => {
            if (collapsed.delete(item.scope)) arrange();
            const entry = layout.find((one) => one.item === item);
            if (entry === undefined) return;
            const begin = item.begin[index], length = item.length ? item.length[index] : 0;
            if (begin < view.begin || begin + length > view.begin + view.length)
                show(begin + length / 2 - Math.max(view.length, length * 1.5) / 2, Math.max(view.length, length * 1.5));
            const top = entry.top + (item.lanes ? item.lanes[index] * item.laneHeight : 0);
            if (top < viewport.scrollTop + axisHeight || top + 20 > viewport.scrollTop + scene.height)
                viewport.scrollTop = Math.max(0, top - scene.height / 2);
            choose(item, index);
        };

        // --- search ---

        const found = R.el('output', {class: 'note'});
        const search = (text) => {
            const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
            matches = [];
            match = -1;
            scene.isMatch = null;
            if (words.length) {
                const names = R.data.texts.map((name) => name.toLowerCase());
                scene.isMatch = (item, i) => {
                    const {row} = item, name = names[row.name instanceof Array ? row.name[i] : row.name] ?? '';
                    let detail = null;
                    return words.every(
                        (word) => name.includes(word) ||
                            (detail ??= (row.details?.[row.detail[i]] ?? '').toLowerCase()).includes(word));
                };
                for (const item of items)
                    if (item.begin)
                        for (let i = 0; i < item.begin.length; ++i)
                            if (scene.isMatch(item, i)) matches.push({item, index: i});
                matches.sort((left, right) => left.item.begin[left.index] - right.item.begin[right.index]);
            }
            found.textContent = words.length ? `${R.integer(matches.length)} found` : '';
            draw();
        };
        const step = (by) => {
            if (matches.length === 0) return;
            match = (match + by + matches.length) % matches.length;
            found.textContent = `${R.integer(match + 1)} of ${R.integer(matches.length)}`;
            reveal(matches[match].item, matches[match].index);
        };

        // --- input ---

        let drag = null;
        canvas.addEventListener('pointerdown', (event) => {
            drag = {x: event.offsetX, y: event.offsetY, begin: view.begin, top: viewport.scrollTop, hasMoved: false};
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener('pointermove', (event) => {
            if (drag !== null && event.buttons !== 0) {
                drag.hasMoved =
                    drag.hasMoved || Math.abs(event.offsetX - drag.x) + Math.abs(event.offsetY - drag.y) > 4;
                if (drag.hasMoved) {
                    viewport.scrollTop = drag.top - (event.offsetY - drag.y);
                    show(drag.begin - (event.offsetX - drag.x) / (scene.width - labelWidth) * view.length, view.length);
                    R.showTip(event, null);
                }
                return;
            }
            const at = hit(event.offsetX, event.offsetY);
            R.showTip(
                event,
                at === null                   ? null :
                    at.index !== null         ? R.sliceLines(at.entry.item, at.index) :
                    at.entry.kind === 'group' ? [at.entry.label] :
                    at.time === undefined     ? [R.inScope(at.entry.scope, at.entry.label)] :
                                                R.binLines(at.entry, at.time));
        });
        canvas.addEventListener('pointerleave', (event) => R.showTip(event, null));
        canvas.addEventListener('pointerup', (event) => {
            const wasClick = drag !== null && !drag.hasMoved;
            drag = null;
            if (!wasClick) return;
            const at = hit(event.offsetX, event.offsetY);
            if (at === null) return;
            if (at.entry.kind === 'group') {
                if (!collapsed.delete(at.entry.scope)) collapsed.add(at.entry.scope);
                arrange();
                draw();
            } else if (at.index !== null)
                choose(at.entry.item, at.index);
        });
        canvas.addEventListener('dblclick', (event) => zoom(0.4, timeAt(event.offsetX)));
        canvas.addEventListener('wheel', (event) => {
            if (event.ctrlKey || event.altKey)
                zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.offsetX));
            else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
                show(
                    view.begin + (event.deltaX || event.deltaY) / (scene.width - labelWidth) * view.length,
                    view.length);
            else
                return;
            event.preventDefault();
        }, {passive: false});
        const searchBox = R.el('input', {
            type: 'search',
            placeholder: 'Search names and values',
            'aria-label': 'Search slices',
            oninput: (event) => search(event.target.value),
            onkeydown: (event) => {
                if (event.key === 'Enter') {
                    step(event.shiftKey ? -1 : 1);
                    event.preventDefault();
                }
            }
        });
        canvas.addEventListener('keydown', (event) => {
            const moves = {
                ArrowLeft: () => show(view.begin - view.length / 8, view.length),
                ArrowRight: () => show(view.begin + view.length / 8, view.length),
                ArrowUp: () => {
                    viewport.scrollTop -= 40;
                },
                ArrowDown: () => {
                    viewport.scrollTop += 40;
                },
                PageUp: () => {
                    viewport.scrollTop -= scene.height / 2;
                },
                PageDown: () => {
                    viewport.scrollTop += scene.height / 2;
                },
                '+': () => zoom(0.5),
                '=': () => zoom(0.5),
                '-': () => zoom(2),
                0: () => show(0, span),
                Home: () => show(0, view.length),
                End: () => show(span, view.length),
                '/': () => searchBox.focus(),
                n: () => step(1),
                N: () => step(-1)
            };
            if (event.ctrlKey || event.metaKey || event.altKey || moves[event.key] === undefined) return;
            moves[event.key]();
            event.preventDefault();
        });
        viewport.addEventListener('scroll', draw);
        const button = (text, title, action) =>
            R.el('button', {type: 'button', title, 'aria-label': title, onclick: action}, text);
        const groups = [...new Set(items.map((item) => item.scope))];
        const bar = R.el(
            'div', {class: 'bar'}, button('\u2212', 'Zoom out', () => zoom(2)), button('+', 'Zoom in', () => zoom(0.5)),
            button('All', 'Show the whole trace', () => show(0, span)),
            button('\u2190', 'Earlier', () => show(view.begin - view.length / 2, view.length)),
            button('\u2192', 'Later', () => show(view.begin + view.length / 2, view.length)), searchBox,
            button('\u2191', 'Previous match', () => step(-1)), button('\u2193', 'Next match', () => step(1)), found,
            R.el('span', {class: 'gap'}), R.el('input', {
                type: 'search',
                placeholder: 'Filter rows',
                'aria-label': 'Filter rows',
                oninput: (event) => {
                    rowFilter = event.target.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
                    viewport.scrollTop = 0;
                    arrange();
                    resize();
                }
            }),
            groups.length < 2 ? null : button('Fold', 'Fold all groups', () => {
                groups.forEach((scope) => collapsed.add(scope));
                arrange();
                resize();
            }), groups.length < 2 ? null : button('Unfold', 'Unfold all groups', () => {
                collapsed.clear();
                arrange();
                resize();
            }));
        arrange();
        R.watch(viewport, resize);
        R.timeline = {items, view, show, search, step};
        return R.el(
            'div', {class: 'timeline'}, bar, viewport, place,
            R.el(
                'p', {class: 'note keys'},
                'Drag to move, Ctrl or Alt with the wheel to zoom, Shift with the wheel to move in time. With the keyboard: arrows, +, \u2212, 0, Home, End, / to search, n and N for matches.'),
            details);
    };
})();
