/* The moves of a game, and which of its positions is shown. */

class MoveList {
    /* onShow(ply): the reader wants to see that position; null: the present one. style: of the
     * signs of the pieces. */
    /** @param {() => void} onShow @param {string} style */
    constructor(onShow, style) {
        this.onShow = onShow;
        this.style = style;
        /** @type {Ply[]} */
        this.plies = [];
        /** @type {number | null} */
        this.ply = null; /* null: the newest */
        this.list = el("ol", { class: "moves", tabindex: -1, "aria-label": _("Moves") });
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
            oninput: () => this.go(Number(this.slider.value)),
        });
        /** @param {string} path @param {string} label @param {() => number} to */
        const step = (path, label, to) =>
            el(
                "button",
                {
                    type: "button",
                    class: "step",
                    "aria-label": label,
                    title: label,
                    onclick: () => this.go(to()),
                },
                draw(
                    "svg",
                    { viewBox: "0 0 16 16", "aria-hidden": "true" },
                    draw("path", { d: path }),
                ),
            );
        this.buttons = [
            step("M3 3h2v10H3zM14 3v10L6 8z", _("The start (Home)"), () => 0),
            step("M12 3v10L4 8z", _("One move back (left arrow)"), () => this.at() - 1),
            step("M4 3v10l8-5z", _("Next move (right arrow)"), () => this.at() + 1),
            step("M11 3h2v10h-2zM2 3v10l8-5z", _("The newest move (End)"), () => this.plies.length),
        ];
        this.steps = el(
            "div",
            { class: "steps" },
            ...this.buttons.slice(0, 2),
            this.slider,
            ...this.buttons.slice(2),
        );
        this.element = el("section", { class: "record" }, this.list, this.steps);
    }

    at() {
        return this.ply ?? this.plies.length;
    }

    isNewest() {
        return this.ply === null;
    }

    /** @param {number} ply */
    go(ply) {
        const to = Math.max(0, Math.min(this.plies.length, ply));
        this.ply = to === this.plies.length ? null : to;
        this.isFollowed = this.isNewest();
        this.point();
        this.onShow();
    }

    /* True if that key was one of ours. */
    /** @param {string} key */
    press(key) {
        const to = {
            ArrowLeft: this.at() - 1,
            ArrowRight: this.at() + 1,
            Home: 0,
            End: this.plies.length,
        }[key];
        if (to === undefined) return false;
        this.go(to);
        return true;
    }

    /* Takes the plies as they are now; those before known are shown already. */
    /** @param {Ply[]} plies @param {number} known */
    take(plies, known) {
        this.plies = [...this.plies.slice(0, known), ...plies];
        while (this.list.children.length > known) this.list.lastChild?.remove();
        plies.forEach((ply, i) => this.list.append(this.row(ply, known + i + 1)));
        if (this.ply !== null && this.ply > this.plies.length) this.ply = null;
        this.slider.max = String(this.plies.length);
        this.point();
    }

    /** @param {Ply} ply @param {number} number */
    row(ply, number) {
        const icon = ply.piece === "." ? "" : ply.piece;
        return el(
            "li",
            null,
            el(
                "button",
                { type: "button", class: "ply", onclick: () => this.go(number) },
                el("span", { class: "number", text: number }),
                el("span", {
                    class: "letter " + (icon === "" ? "" : sideOf(icon)),
                    text: signOf(icon, this.style),
                }),
                el("span", { class: "words", text: this.words(ply) }),
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

    point() {
        this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
        const row = /** @type {HTMLElement | undefined} */ (this.list.children[this.at() - 1]);
        row?.firstElementChild?.setAttribute("aria-current", "true");
        this.slider.value = String(this.at());
        this.slider.setAttribute(
            "aria-valuetext",
            fill(_("move {n} of {all}"), { n: this.at(), all: this.plies.length }),
        );
        this.buttons[0].disabled = this.buttons[1].disabled = this.at() === 0;
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
