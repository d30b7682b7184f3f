/* The board: a picture in SVG, and on top of it the grid of buttons that a keyboard and a
 * screen reader use. Points are numbers as in side.h: 0 is A0, 89 is I9. */

const FILES = 9,
    ROWS = 10,
    STEP = 100,
    EDGE = 76;
const SVG_WIDTH = 2 * EDGE + (FILES - 1) * STEP,
    SVG_HEIGHT = 2 * EDGE + (ROWS - 1) * STEP;
/* In this order the tables of pieces have them. */
const LETTERS = "RNBGKCPrnbgkcp",
    KINDS = ["rook", "knight", "bishop", "guard", "king", "cannon", "pawn"];
const HANJA = "車馬象士漢包兵車馬象士楚包卒";
/** @type {Record<string, string>} */
const SIGNS = { hanja: HANJA, cursive: HANJA, hangul: "차마상사한포병차마상사초포졸" };
/* Blue's characters in cursive, as strokes of a brush on a piece that is 84 wide. */
/** @type {Record<string, string>} */
const BRUSH = {
    r: "M-16-20C-4-22 8-23 17-23M-2-28Q-8-14-18-2C-6-5 8-6 18-6M1-14Q1 12 0 27M-23 10C-8 6 10 5 24 5",
    n: "M-15-22C-4-25 8-26 14-25Q13-16 9-5M-12-21L-15-1C-4-5 10-7 18-6C18 6 15 18 10 25C6 27 2 23 0 20M-22 13C-10 9 0 8 9 8",
    b: "M-4-29Q-9-19-18-14M-6-25C1-27 6-27 9-26Q5-19 0-16M-15-14Q-15-8-13-4C-3-7 8-8 15-8M-14-14C-4-17 8-19 16-18Q17-13 14-8M1-16V-7M0-6Q-7 4-21 9M-4 0C6 5 7 18 1 27L-7 24M2 6Q-6 14-20 18M4 13Q-4 22-17 27M19-2Q13 5 7 7Q14 17 25 22",
    g: "M-23-8C-8-12 8-14 23-14M1-28C2-12 1 4-1 18C-6 22-12 22-17 21C-6 17 8 15 19 16",
    k: "M-22-18L-3-20M-12-28Q-12-12-14-2M-13-16Q-16-10-23-5M-11-15L-5-9M2-20L22-23M12-28Q12-12 11-3M11-17Q7-9 1-5M13-17Q17-10 24-6M-16 3C-4 0 8-1 15 0Q13 6 8 9M0 1V20M1 10L12 9M-9 8C-9 15-13 21-20 26M-11 18C-4 24 10 27 24 24",
    c: "M-7-29Q-13-15-23-6M-11-19C0-23 12-24 18-22C20-10 19 2 15 11C12 14 9 12 6 9M-10-8C-3-10 4-11 8-10Q8-3 5 2L-9 5M-10-8C-11 6-12 14-9 20C-2 26 14 25 22 22Q25 17 24 11",
    p: "M-4-28C-5-16-10-8-21-2M-20-14C-8-18 2-20 9-20C9-13 8-6 11-4C14-2 19-3 21-8M-24 8C-8 4 8 3 24 3M0-4Q1 12-1 28",
};
/** @type {Record<string, number>} */
const HALF_WIDTH = { R: 42, N: 42, B: 42, G: 34, K: 48, C: 42, P: 34 };
const REST_MS = 500;
const CROSSES = "B2 H2 A3 C3 E3 G3 I3 B7 H7 A6 C6 E6 G6 I6".split(" ");

/** @param {number} point */
function pointName(point) {
    return "ABCDEFGHI"[point % FILES] + Math.floor(point / FILES);
}

/** @param {string} name */
function pointOf(name) {
    return "ABCDEFGHI".indexOf(name[0]) + FILES * Number(name[1]);
}

/* How a reader wants points to be named: A0 to I9, or with the digits of Korean records, rank
 * and file, "09" to "91". */
const pointStyle = { isKorean: recall("points", "letters") === "korean" };

/** @param {number} file */
function shownFile(file) {
    return pointStyle.isKorean ? String(FILES - file) : "ABCDEFGHI"[file];
}

/** @param {number} row */
function shownRow(row) {
    return String(pointStyle.isKorean ? (row + 1) % 10 : row);
}

/** @param {number} point */
function shownPoint(point) {
    const file = shownFile(point % FILES),
        row = shownRow(Math.floor(point / FILES));
    return pointStyle.isKorean ? row + file : file + row;
}

/* "B0-C2" as the reader wants it, with a sign between the points. */
/** @param {string | undefined} move @param {string} [sign] */
function shownMove(move, sign = "–") {
    const points = pointsOf(move);
    return points === null ? _("pass") : shownPoint(points.from) + sign + shownPoint(points.to);
}

/* { from, to } of "B0-C2"; null for a pass and for "-". */
/** @param {string | undefined} move */
function pointsOf(move) {
    const found = /^([A-I]\d)-([A-I]\d)$/.exec(move ?? "");
    return found && { from: pointOf(found[1]), to: pointOf(found[2]) };
}

/** @param {string} letter */
function sideOf(letter) {
    return letter === letter.toUpperCase() ? "red" : "blue";
}

/** @param {string} letter */
function kindName(letter) {
    const kind =
        KINDS[LETTERS.indexOf(letter) % KINDS.length]; /* Korean has two words for the pawn */
    return translation(sideOf(letter) + "\u0004" + kind) ?? _(kind);
}

/** @param {number} half */
function octagon(half) {
    const corner = half * 0.4142;
    return (
        `M${-corner} ${-half}H${corner}L${half} ${-corner}V${corner}L${corner} ${half}` +
        `H${-corner}L${-half} ${corner}V${-corner}z`
    );
}

/* The words on a piece, as <text>s. */
/** @param {string} letter @param {string} style @param {number} half */
function inscription(letter, style, half) {
    /** @param {string} text @param {string} className @param {number} size @param {number} y */
    const words = (text, className, size, y) =>
        draw("text", { class: className, "font-size": size, y, text });
    if (style === "letters") return [words(letter, "letter", half * 1.15, half * 0.4)];
    if (style === "cursive" && letter in BRUSH)
        return [draw("path.brush", { d: BRUSH[letter], transform: `scale(${half / 42})` })];
    const glyph = signOf(letter, plainStyle(style));
    if (style !== "both") return [words(glyph, "glyph", half * 1.16, half * 0.42)];
    return [
        words(glyph, "glyph", half, half * 0.2),
        words(letter, "letter", half * 0.42, half * 0.74),
    ];
}

/* Where there is room for one sign. */
/** @param {string} style */
function plainStyle(style) {
    return style === "both" ? "hanja" : style;
}

/* The sign of a piece in a line of text. */
/** @param {string} letter @param {string} style */
function signOf(letter, style) {
    return SIGNS[style]?.[LETTERS.indexOf(letter)] ?? letter;
}

/* A piece round the origin. The sides differ in form too: Blue has a second rim. */
/** @param {string} letter @param {string} style */
function drawPiece(letter, style) {
    const half = HALF_WIDTH[letter.toUpperCase()],
        side = sideOf(letter);
    return draw(
        "g",
        { class: "piece " + side },
        draw("path.shade", { d: octagon(half), transform: "translate(1.5 5)" }),
        draw("path.body", { d: octagon(half) }),
        draw("path.rim", { d: octagon(half - 5) }),
        side === "blue" ? draw("path.rim", { d: octagon(half - 9) }) : null,
        ...inscription(letter, style, half),
    );
}

/* A piece alone, in a picture of its own. */
/** @param {string} letter @param {string} style */
function pieceIcon(letter, style) {
    return draw(
        "svg.icon",
        { viewBox: "-50 -50 100 104", "aria-hidden": "true" },
        drawPiece(letter, style),
    );
}

/* What the boards of a page are painted with: ids must be there once. */
function paints() {
    /** @param {string} name @param {number} first */
    const stops = (name, first) =>
        [first, 1].map((offset, i) => draw("stop", { class: `${name}-${"ab"[i]}`, offset }));
    const head = { id: "head", viewBox: "0 0 10 10", refX: 6, refY: 5, orient: "auto" };
    return draw(
        "svg.unseen",
        { "aria-hidden": "true" },
        draw("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 1, y2: 1 }, ...stops("wood", 0)),
        draw("radialGradient", { id: "ivory", cx: 0.38, cy: 0.3, r: 0.85 }, ...stops("ivory", 0.1)),
        draw("marker", head, draw("path.head", { d: "M0 0L10 5L0 10z" })),
    );
}

class Board {
    /* calls: onPick(point); onDrag(from, to); describe(point, letter): the label. */
    /** @param {BoardCalls} [calls] without them the board only shows */
    constructor(calls) {
        this.calls = calls;
        this.style = "both";
        this.isFlipped = false;
        this.cells = ".".repeat(FILES * ROWS);
        /** @type {Map<number, SVGGElement>} */
        this.pieces = new Map(); /* elements by point */
        /** @type {HTMLButtonElement[]} */
        this.buttons = [];
        this.focus = 4;
        /** @type {number | null} */
        this.selected = null;
        /** @type {Set<number>} */
        this.targets = new Set();
        /** @type {number | null} */
        this.pending = null;
        this.lastLayer = draw("g");
        this.pieceLayer = draw("g");
        this.markLayer = draw("g");
        this.sketchLayer = draw("g");
        this.picture = draw("svg", {
            viewBox: `0 0 ${SVG_WIDTH} ${SVG_HEIGHT}`,
            "aria-hidden": "true",
        });
        this.grid = el("div", {
            class: "grid",
            role: "grid",
            "aria-label": _("Board"),
            onkeydown: (event) => this.press(event),
            onpointerdown: (event) => (this.grasp(event), this.sketch(event)),
            oncontextmenu: (/** @type {Event} */ event) => event.preventDefault(),
        });
        this.element = el("div.board", this.picture, calls && this.grid);
        this.build();
    }

    /** @param {number} point */
    place(point) {
        const file = point % FILES,
            row = Math.floor(point / FILES);
        return {
            x: EDGE + STEP * (this.isFlipped ? FILES - 1 - file : file),
            y: EDGE + STEP * (this.isFlipped ? row : ROWS - 1 - row),
        };
    }

    build() {
        for (const layer of [this.lastLayer, this.pieceLayer, this.markLayer, this.sketchLayer])
            layer.replaceChildren();
        this.pieces.clear();
        this.picture.replaceChildren(
            draw("rect.wood", { width: SVG_WIDTH, height: SVG_HEIGHT, rx: 14 }),
            ...this.drawLines(),
            this.drawNames(),
            this.lastLayer,
            this.pieceLayer,
            this.markLayer,
            this.sketchLayer,
        );
        if (this.calls !== undefined) this.buildGrid();
        this.drawPieces();
    }

    drawLines() {
        const right = SVG_WIDTH - EDGE,
            bottom = SVG_HEIGHT - EDGE;
        let lines = "";
        for (let row = 1; row < ROWS - 1; row++) lines += `M${EDGE} ${EDGE + row * STEP}H${right}`;
        for (let file = 1; file < FILES - 1; file++)
            lines += `M${EDGE + file * STEP} ${EDGE}V${bottom}`;
        for (const y of [EDGE, bottom - 2 * STEP])
            lines += `M${EDGE + 3 * STEP} ${y}l200 200m0 -200l-200 200`;
        const crosses = CROSSES.map((name) => this.drawCross(pointOf(name)));
        return [
            draw("path.lines", { d: lines }),
            draw("path.crosses", { d: crosses.join("") }),
            draw("path.lines.edge", { d: `M${EDGE} ${EDGE}H${right}V${bottom}H${EDGE}z` }),
        ];
    }

    /** @param {number} point */
    drawCross(point) {
        const { x, y } = this.place(point),
            sides = [-1, 1].filter((side) => x + side * STEP > 0 && x + side * STEP < SVG_WIDTH);
        return sides
            .flatMap((h) => [-1, 1].map((v) => `M${x + h * 8} ${y + v * 20}v${v * -12}h${h * 12}`))
            .join("");
    }

    drawNames() {
        const names = draw("g.names"),
            name = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text) =>
                names.append(draw("text", { x, y, text }));
        for (let file = 0; file < FILES; file++)
            name(this.place(file).x, SVG_HEIGHT - 8, shownFile(file));
        for (let row = 0; row < ROWS; row++) name(12, this.place(row * FILES).y + 8, shownRow(row));
        return names;
    }

    /* --- The grid --- */

    buildGrid() {
        const order = [...Array(ROWS).keys()];
        if (!this.isFlipped) order.reverse();
        this.buttons = [];
        const rows = order.map((row) => {
            const points = [...Array(FILES).keys()].map((file) => row * FILES + file);
            if (this.isFlipped) points.reverse();
            return el("div", { role: "row" }, ...points.map(this.button, this));
        });
        this.grid.replaceChildren(...rows);
    }

    /** @param {number} point */
    button(point) {
        const onclick = () => (this.focusOn(point), this.calls?.onPick(point)),
            traits = { type: "button", role: "gridcell", "data-point": point, onclick };
        this.buttons[point] = el("button", traits);
        this.buttons[point].tabIndex = point === this.focus ? 0 : -1;
        return this.buttons[point];
    }

    /** @param {number} point */
    focusOn(point) {
        this.buttons[this.focus].tabIndex = -1;
        this.focus = point;
        this.buttons[point].tabIndex = 0;
    }

    /** @param {KeyboardEvent} event */
    press(event) {
        const turn = this.isFlipped ? -1 : 1;
        const sideways = { ArrowLeft: -turn, ArrowRight: turn }[event.key] ?? 0,
            up = { ArrowUp: turn, ArrowDown: -turn }[event.key] ?? 0;
        if (sideways + up === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
        const file = (this.focus % FILES) + sideways,
            row = Math.floor(this.focus / FILES) + up;
        event.preventDefault();
        event.stopPropagation();
        if (file < 0 || file >= FILES || row < 0 || row >= ROWS) return;
        this.focusOn(row * FILES + file);
        this.takeFocus();
    }

    takeFocus() {
        this.buttons[this.focus].focus();
    }

    label() {
        for (const [point, button] of this.buttons.entries())
            button.setAttribute("aria-label", this.describe(point));
    }

    /** @param {number} point */
    describe(point) {
        const letter = this.cells[point];
        const values = {
            point: shownPoint(point),
            side: letter === "." ? "" : _(sideOf(letter)),
            piece: letter === "." ? "" : kindName(letter),
        };
        const words = [
            fill(letter === "." ? _("{point}, empty") : _("{point}, {side} {piece}"), values),
        ];
        if (this.selected === point) words.push(_("selected"));
        else if (this.pending === point) words.push(_("not sent yet"));
        if (this.targets.has(point))
            words.push(letter === "." ? _("can go here") : _("can be taken"));
        return words.join(", ");
    }

    /* --- Dragging: a pointer that goes down on one point and up on another --- */

    /** @param {number} x @param {number} y */
    pointAt(x, y) {
        const box = this.grid.getBoundingClientRect();
        const file = Math.floor(((x - box.left) / box.width) * FILES);
        const row = Math.floor(((y - box.top) / box.height) * ROWS);
        if (file < 0 || file >= FILES || row < 0 || row >= ROWS) return null;
        return this.isFlipped ? row * FILES + FILES - 1 - file : (ROWS - 1 - row) * FILES + file;
    }

    /** @param {PointerEvent} event */
    grasp(event) {
        const from = this.pointAt(event.clientX, event.clientY);
        if (event.button !== 0 || from === null || !this.calls?.mayDrag(from)) return;
        const piece = this.pieces.get(from);
        if (piece === undefined) return;
        const scale = SVG_WIDTH / this.picture.getBoundingClientRect().width;
        const home = this.place(from);
        let isDragged = false;
        /** @param {PointerEvent} at */
        const move = (at) => {
            const x = (at.clientX - event.clientX) * scale,
                y = (at.clientY - event.clientY) * scale;
            if (!isDragged && Math.hypot(x, y) < 22) return;
            if (!isDragged) this.calls?.onGrasp(from);
            isDragged = true;
            piece.classList.add("held");
            piece.style.transform = `translate(${home.x + x}px, ${home.y + y}px) scale(1.12)`;
            this.pieceLayer.append(piece);
        };
        /** @param {PointerEvent} at */
        const drop = (at) => {
            removeEventListener("pointermove", move);
            removeEventListener("pointerup", drop);
            removeEventListener("pointercancel", drop);
            if (!isDragged) return;
            piece.classList.remove("held");
            /** @param {Event} click */
            const stop = (click) => click.stopPropagation();
            addEventListener("click", stop, true);
            setTimeout(() => removeEventListener("click", stop, true), 0);
            const to = at.type === "pointerup" ? this.pointAt(at.clientX, at.clientY) : null;
            this.calls?.onDrag(from, to);
            if (this.pieces.get(from) === piece) this.put(piece, from);
        };
        addEventListener("pointermove", move);
        addEventListener("pointerup", drop);
        addEventListener("pointercancel", drop);
    }

    /* --- Arrows and circles: with the right button, or a finger that rests first --- */

    /** @param {PointerEvent} event */
    sketch(event) {
        const from = this.pointAt(event.clientX, event.clientY),
            isTouch = event.pointerType === "touch";
        if (event.button === 0 && !isTouch) return this.sketchLayer.replaceChildren();
        if (from === null || !(isTouch || event.button === 2)) return;
        if (isTouch && this.calls?.mayDrag(from)) return;
        const began = performance.now();
        /** @param {PointerEvent} at */
        const end = (at) => {
            removeEventListener("pointerup", end);
            removeEventListener("pointercancel", end);
            const to = this.pointAt(at.clientX, at.clientY),
                hasRested = !isTouch || performance.now() - began >= REST_MS;
            if (at.type === "pointerup" && to !== null && hasRested)
                this.drawSketch(from, to, "own");
        };
        addEventListener("pointerup", end);
        addEventListener("pointercancel", end);
    }

    /* The same once more takes it away. */
    /** @param {number} from @param {number} to @param {string} className */
    drawSketch(from, to, className) {
        const name = `${className} ${from}-${to}`,
            traits = { class: "sketch " + className, "data-name": name },
            old = this.sketchLayer.querySelector(`[data-name="${name}"]`);
        if (old !== null) return old.remove();
        const { x, y } = this.place(from),
            end = this.place(to),
            d = `M${x} ${y}L${end.x} ${end.y}`;
        this.sketchLayer.append(
            from === to
                ? draw("circle", { ...traits, cx: x, cy: y, r: 46 })
                : draw("path", { ...traits, d, "marker-end": "url(#head)" }),
        );
    }

    /* The computer's move, { from, to }; null: none. */
    /** @param {Move | null} move */
    advise(move) {
        this.sketchLayer.replaceChildren();
        if (move !== null) this.drawSketch(move.from, move.to, "best");
    }

    /* --- What stands on it --- */

    /** @param {SVGElement} piece @param {number} point */
    put(piece, point) {
        const { x, y } = this.place(point);
        piece.style.transform = `translate(${x}px, ${y}px)`;
    }

    drawPieces() {
        this.pieceLayer.replaceChildren();
        this.pieces.clear();
        [...this.cells].forEach((letter, point) => letter === "." || this.addPiece(letter, point));
        this.label();
    }

    /** @param {string} letter @param {number} point */
    addPiece(letter, point) {
        const piece = drawPiece(letter, this.style);
        this.put(piece, point);
        this.pieceLayer.append(piece);
        this.pieces.set(point, piece);
    }

    /* True when cells differ from what is shown by that move only. */
    /** @param {string} cells @param {Move} move */
    isMove(cells, move) {
        const now = [...this.cells];
        now[move.to] = now[move.from];
        now[move.from] = ".";
        return this.cells[move.from] !== "." && now.join("") === cells;
    }

    /** @param {Move} move */
    slide(move) {
        const piece = this.pieces.get(move.from);
        if (piece === undefined) return;
        this.pieces.get(move.to)?.remove();
        this.pieces.delete(move.from);
        this.pieces.set(move.to, piece);
        this.pieceLayer.append(piece);
        piece.getBoundingClientRect(); /* so that it slides from where it was, or was dropped */
        this.put(piece, move.to);
    }

    /* Shows a position: 90 letters, and the move that led to it or null. isPending: the server
     * has not taken it yet. */
    /** @param {Position} what @param {string} turn */
    show({ cells, last, isCheck = false, isPending = false }, turn) {
        this.pending = isPending && last ? last.to : null;
        if (last !== null && this.isMove(cells, last)) {
            this.cells = cells;
            this.slide(last);
        } else if (cells !== this.cells) {
            this.cells = cells;
            this.drawPieces();
        }
        this.lastLayer.replaceChildren();
        if (last !== null) {
            const half = HALF_WIDTH[(cells[last.to] ?? "P").toUpperCase()] + 9;
            this.ring(this.lastLayer, "was", last.from, 22);
            this.ring(this.lastLayer, isPending ? "last pending" : "last", last.to, half);
        }
        const king = isCheck ? cells.indexOf(turn === "red" ? "K" : "k") : -1;
        if (king >= 0) this.ring(this.lastLayer, "check", king, HALF_WIDTH.K + 9);
        this.label();
    }

    /**
     * @param {SVGElement} layer @param {string} className @param {number} point
     * @param {number} half
     */
    ring(layer, className, point, half) {
        const { x, y } = this.place(point),
            where = { d: octagon(half || 40), transform: `translate(${x} ${y})` };
        layer.append(draw("path", { class: "ring " + className, ...where }));
    }

    /* Marks the chosen point, where it may go, and a point that explains a refusal. */
    /**
     * @param {number | null} selected @param {Iterable<number>} targets
     * @param {number | null} blocker
     */
    mark(selected, targets, blocker) {
        this.selected = selected;
        this.targets = new Set(targets);
        this.markLayer.replaceChildren();
        const half = (/** @type {number} */ point) => HALF_WIDTH[this.cells[point].toUpperCase()];
        if (selected !== null) this.ring(this.markLayer, "chosen", selected, half(selected) + 7);
        for (const point of this.targets) {
            const { x, y } = this.place(point);
            if (this.cells[point] !== ".")
                this.ring(this.markLayer, "taken", point, half(point) + 8);
            else this.markLayer.append(draw("circle.target", { cx: x, cy: y, r: 14 }));
        }
        if (blocker !== null && blocker !== undefined)
            this.ring(this.markLayer, "blocker", blocker, 50);
        this.label();
    }

    /** @param {Game} game */
    render(game) {
        this.show(game.position(), game.turn());
        this.mark(game.choice.from, game.choice.targets, game.choice.blocker);
    }

    /** @param {boolean} isFlipped */
    turn(isFlipped) {
        this.isFlipped = isFlipped;
        this.build();
    }

    /** @param {string} style */
    restyle(style) {
        this.style = style;
        this.drawPieces();
    }
}

const START = "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR";

/* A small board that only shows. */
/** @param {string} cells @param {string} style @param {boolean} [isFlipped] */
function smallBoard(cells, style, isFlipped) {
    const board = new Board();
    board.style = style;
    board.isFlipped = isFlipped === true;
    board.build();
    board.show({ cells, last: null }, "red");
    return board.element;
}

/* In a tab of its own: the reader may be in a game. */
/** @param {string} [className] */
function learnLink(className) {
    const text = _("How the pieces move");
    return el("a", { class: className, href: "/?learn", target: "_blank", text });
}

/* For a newcomer: the board, and the way to the rules. */
/** @param {string} words */
function preview(words) {
    return el(
        "div.preview",
        smallBoard(cellsOf(START), "hanja"),
        el("div", el("p.faint", words), learnLink("button")),
    );
}

/* "hong – kim", in the colours of the sides. */
/** @param {"a.pair" | "span.pair"} name @param {Items} what @param {string} [href] */
function pairOf(name, { red, blue }, href) {
    return el(name, { href }, el("span.red", red), " – ", el("span.blue", blue));
}

/* The 90 letters of a position's text, which has the rows from 9 to 0. */
/** @param {string} position */
function cellsOf(position) {
    const rows = position.split(" ")[0].split("/");
    return rows
        .reverse()
        .map((row) => row.replace(/\d/g, (count) => ".".repeat(Number(count))))
        .join("");
}
