/* The moves of a game, and which of its positions is shown. */

class MoveList {
    /* onGo(ply): the reader wants to see that position. style: of the signs of the pieces. */
    /** @param {(ply: number) => void} onGo @param {string} style */
    constructor(onGo, style) {
        this.onGo = onGo;
        this.style = style;
        /** @type {Ply[]} */
        this.plies = [];
        this.at = -1; /* the ply whose position is shown */
        this.list = el("ol.moves", { tabindex: -1, "aria-label": _("Moves") });
        this.isFollowed = true; /* false: the reader has scrolled back */
        this.list.addEventListener("scroll", () => {
            const { scrollTop, clientHeight, scrollHeight } = this.list;
            this.isFollowed =
                scrollTop === this.followedTo || scrollTop + clientHeight > scrollHeight - 8;
        });
        new ResizeObserver(() => this.follow()).observe(this.list);
        this.followedTo = 0;
        /** @type {HTMLInputElement} */
        this.slider = el("input", {
            type: "range",
            min: 0,
            max: 0,
            "aria-label": _("Move"),
            oninput: () => this.onGo(Number(this.slider.value)),
        });
        /** @param {string} path @param {string} label @param {() => number} to */
        const step = (path, label, to) =>
            el(
                "button.step",
                {
                    type: "button",
                    "aria-label": label,
                    title: label,
                    onclick: () => this.onGo(to()),
                },
                draw(
                    "svg",
                    { viewBox: "0 0 16 16", "aria-hidden": "true" },
                    draw("path", { d: path }),
                ),
            );
        this.buttons = [
            step("M3 3h2v10H3zM14 3v10L6 8z", _("The start (Home)"), () => 0),
            step("M12 3v10L4 8z", _("One move back (left arrow)"), () => this.at - 1),
            step("M4 3v10l8-5z", _("Next move (right arrow)"), () => this.at + 1),
            step("M11 3h2v10h-2zM2 3v10l8-5z", _("The newest move (End)"), () => this.plies.length),
        ];
        const [first, back, next, last] = this.buttons;
        this.steps = el("div.steps", first, back, this.slider, next, last);
        this.element = el("div.record", this.list, this.steps);
    }

    /** @param {Game} game */
    render(game) {
        const { phase } = game.state,
            { plies } = game;
        let known = 0;
        while (known < plies.length && plies[known] === this.plies[known]) known++;
        while (this.list.children.length > known) this.list.lastChild?.remove();
        for (const ply of plies.slice(known))
            this.list.append(this.row(ply, this.list.children.length + 1));
        const isChanged = plies.length !== this.plies.length || known < plies.length;
        this.plies = plies;
        this.element.hidden = phase === "setup" || (phase === "over" && plies.length === 0);
        if (isChanged || this.at !== game.at()) this.point(game.at());
    }

    /** @param {Ply} ply @param {number} number */
    row(ply, number) {
        const icon = ply.piece === "." ? "" : ply.piece,
            side = "letter " + (icon && sideOf(icon));
        return el(
            "li",
            el(
                "button.ply",
                { type: "button", onclick: () => this.onGo(number) },
                el("span.number", String(number)),
                el("span", { class: side, text: icon && signOf(icon, this.style) }),
                el("span.words", this.words(ply)),
            ),
        );
    }

    /** @param {Ply} what */
    words({ move, taken, isCheck }) {
        return shownMove(move, taken === "." ? "–" : "×") + (isCheck ? "+" : "");
    }

    /** @param {string} style */
    restyle(style) {
        this.style = style;
        this.plies.forEach((ply, i) => {
            const row = this.list.children[i];
            row.querySelector(".words")?.replaceChildren(this.words(ply));
            if (ply.piece !== ".")
                row.querySelector(".letter")?.replaceChildren(signOf(ply.piece, style));
        });
    }

    /* The reader goes there. */
    /** @param {number} at */
    show(at) {
        this.isFollowed = at === this.plies.length;
        this.point(at);
    }

    isNewest() {
        return this.at === this.plies.length;
    }

    /** @param {number} at */
    point(at) {
        this.at = at;
        this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
        const row = /** @type {HTMLElement | undefined} */ (this.list.children[at - 1]);
        row?.firstElementChild?.setAttribute("aria-current", "true");
        this.slider.max = String(this.plies.length);
        this.slider.value = String(at);
        const words = fill(_("move {n} of {all}"), { n: at, all: this.plies.length });
        this.slider.setAttribute("aria-valuetext", words);
        this.buttons[0].disabled = this.buttons[1].disabled = at === 0;
        this.buttons[2].disabled = this.buttons[3].disabled = this.isNewest();
        if (this.isNewest()) this.follow();
        else
            this.list.scrollTop = row
                ? row.offsetTop - this.list.offsetTop - this.list.clientHeight / 2
                : 0;
    }

    /* Keeps the newest move in view, also when the list gets less room. */
    follow() {
        if (!this.isFollowed || !this.isNewest()) return;
        this.list.scrollTop = this.list.scrollHeight;
        this.followedTo = this.list.scrollTop;
    }
}
