// calls.js - the functions of a program: a table, and a drawing of the calls (an icicle).
(() => {
    const R = hwtraceReport;
    const {cell, section, note} = R;

    /// Returns the paths as a tree: {name, source, self, total, calls, children, parent, depth}, the root first.
    const treeOf = (D) => {
        const root = {
            name: 'all',
            source: '',
            self: 0,
            total: Number(D.instructions),
            calls: 1,
            children: [],
            parent: null,
            depth: 0
        };
        const nodes = [root];
        for (const [parent, name, self, total, calls] of D.paths) {
            const from = nodes[parent];
            const node = {
                name: D.names[name][0],
                source: D.names[name][1],
                self: Number(self),
                total: Number(total),
                calls: Number(calls),
                children: [],
                parent: from,
                depth: from.depth + 1
            };
            from.children.push(node);
            nodes.push(node);
        }
        for (const node of nodes)
            node.children.sort((left, right) => right.total - left.total || (left.name < right.name ? -1 : 1));
        return nodes;
    };

    const makeDrawing = (D) => {
        const nodes = treeOf(D), root = nodes[0], tall = 18, hint = R.el('output', {class: 'note'});
        const canvas = R.el('canvas', {
            id: 'flames',
            role: 'img',
            tabindex: 0,
            'aria-label': 'Calls: a bar is a function, below it what it calls. The table has the totals.'
        });
        const viewport = R.el('div', {class: 'viewport'}, canvas), spacer = R.el('div', {class: 'spacer'});
        viewport.append(spacer);
        const drawing = {nodes, focus: root, found: new Set(), boxes: []};
        let width = 0, height = 0, words = '';
        /// Lays out the focus, its callers above it, and its calls below it. Bars narrower than half a pixel are left
        /// out, with all that they call.
        const layout = () => {
            const boxes = [];
            for (let node = drawing.focus.parent; node !== null; node = node.parent)
                boxes.push({node, x: 0, size: width});
            const left = [{node: drawing.focus, x: 0, size: width}];
            while (left.length !== 0) {
                const box = left.pop();
                boxes.push(box);
                let x = box.x;
                for (const node of box.node.children) {
                    const size = box.size * node.total / (box.node.total || 1);
                    if (size >= 0.5) left.push({node, x, size});
                    x += size;
                }
            }
            drawing.boxes = boxes;
        };
        const paint = () => {
            width = Math.max(420, viewport.clientWidth);
            layout();
            const levels = drawing.boxes.reduce((most, box) => Math.max(most, box.node.depth), 0) + 1;
            height = Math.min(levels * tall + 2, 480);
            viewport.style.height = height + 'px';
            spacer.style.height = Math.max(0, levels * tall + 2 - height) + 'px';
            const context = R.context(canvas, width, height);
            for (const {node, x, size} of drawing.boxes) {
                const top = node.depth * tall - viewport.scrollTop;
                if (top + tall < 0 || top > height) continue;
                context.globalAlpha = node.depth < drawing.focus.depth ? 0.5 : 1;
                context.fillStyle = drawing.found.has(node) ? R.color('mark') : R.hashColor(node.name);
                context.fillRect(x, top, Math.max(size - 0.5, 0.5), tall - 1);
                context.fillStyle = drawing.found.has(node) ? R.color('paper') : R.color('ink');
                R.drawText(context, node.name, x + 4, top + tall / 2, size - 8);
            }
            context.globalAlpha = 1;
        };
        const at = (event) => {
            const depth = Math.floor((event.offsetY + viewport.scrollTop) / tall);
            return drawing.boxes.find(
                ({node, x, size}) => node.depth === depth && event.offsetX >= x && event.offsetX < x + size);
        };
        drawing.zoom = (node) => {
            drawing.focus = node;
            paint();
            report();
        };
        drawing.search = (text) => {
            words = text.toLowerCase();
            drawing.found =
                new Set(words === '' ? [] : nodes.filter((node) => node.name.toLowerCase().includes(words)));
            paint();
            report();
        };
        /// Counts the instructions in functions that were found; calls within found calls count once.
        const share = () => {
            let sum = 0;
            const left = [drawing.focus];
            while (left.length !== 0) {
                const node = left.pop();
                if (drawing.found.has(node))
                    sum += node.total;
                else
                    left.push(...node.children);
            }
            return sum;
        };
        const report = () => {
            const focus = drawing.focus, parts = [];
            if (words !== '')
                parts.push(`${R.plural(drawing.found.size, 'bar')} found, ${
                    R.percent(BigInt(share()), BigInt(focus.total))} of the instructions`);
            if (focus !== root) parts.push(`zoomed to ${focus.name}: ${R.plural(focus.total, 'instruction')}`);
            hint.textContent = parts.join('; ');
        };
        canvas.addEventListener('click', (event) => {
            const box = at(event);
            if (box !== undefined) drawing.zoom(box.node);
        });
        canvas.addEventListener('keydown', (event) => {
            if (event.key === '0' || event.key === 'Escape') drawing.zoom(root);
        });
        canvas.addEventListener('pointermove', (event) => {
            const box = at(event);
            if (box === undefined) return R.showTip(event, null);
            const {node} = box;
            R.showTip(event, [
                node.name, ...(node.source === '' ? [] : [node.source]),
                `${R.plural(node.total, 'instruction')}: ${R.percent(BigInt(node.total), BigInt(root.total))}`,
                `self ${R.integer(node.self)}, entered ${R.plural(node.calls, 'time')}`
            ]);
        });
        canvas.addEventListener('pointerleave', (event) => R.showTip(event, null));
        viewport.addEventListener('scroll', paint);
        R.watch(viewport, paint);
        R.flames = drawing;
        const search = R.el('input', {
            type: 'search',
            placeholder: 'Search functions',
            'aria-label': 'Search functions in the drawing',
            oninput: (event) => drawing.search(event.target.value)
        });
        const back = R.el('button', {type: 'button', onclick: () => drawing.zoom(root)}, 'Show all');
        return [R.el('div', {class: 'bar'}, R.el('h3', {}, 'Calls'), search, back, hint), viewport];
    };

    R.calls = () => {
        const D = R.data.calls;
        if (D === undefined) return;
        const all = BigInt(D.instructions);
        const table = R.table({
            name: 'functions-table',
            caption: 'Functions',
            page: 20,
            sort: {column: 2, down: true},
            columns: [
                {key: 'function', title: 'Function'}, {key: 'source', title: 'Source'},
                {key: 'self', title: 'Self', number: true, help: 'Instructions of the function itself'},
                {key: 'share', title: 'Share', number: true}, {
                    key: 'inclusive',
                    title: 'Inclusive',
                    number: true,
                    help: 'Also the instructions of all functions that it calls; recursion counts once'
                },
                {key: 'calls', title: 'Calls', number: true}
            ],
            rows: D.functions.map(
                ([name, self, inclusive, calls]) =>
                    [cell(D.names[name][0]), cell(D.names[name][1]), cell(BigInt(self)),
                     cell(Number(self), R.percent(BigInt(self), all)), cell(BigInt(inclusive)), cell(BigInt(calls))])
        });
        const left = D.paths_counted - D.paths.length;
        section(
            'functions', 'Functions', table,
            note(`${R.integer(D.functions.length)} of ${R.integer(D.functions_counted)} functions are listed.`),
            ...makeDrawing(D),
            note(
                'A bar is a function, as wide as its instructions are many; below it is what it calls. All threads are one drawing. ' +
                'A click zooms, 0 shows everything.' +
                (left > 0 ? ` The ${R.integer(left)} smallest of ${R.integer(D.paths_counted)} bars are left out.` :
                            '') +
                (BigInt(D.merged_calls) > 0n ?
                     ` ${R.integer(D.merged_calls)} calls of still other paths count for their callers.` :
                     '')));
    };
})();
