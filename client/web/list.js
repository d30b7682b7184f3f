/* The front page: the games that are being played, the reader's own, who looks for an opponent,
 * and the form for a new game. The page fetches this module when it has to show it; it uses the
 * names of page.js. */

const PICTURES = 6,
    PAST = 8;

export class Front {
    /** @param {Page} page @param {boolean} mayPlay */
    constructor(page, mayPlay) {
        this.isFront = true;
        this.page = page;
        this.line = page.line;
        this.mayPlay = mayPlay;
        /** @type {string[] | null} */
        this.running = null; /* our games; not known yet */
        /** @param {string} title @param {HTMLElement} [rows] */
        const section = (title, rows = el("div.games")) => {
            return { rows, element: el("section", { hidden: true }, el("h2", title), rows) };
        };
        this.own = section(_("Your games"));
        this.all = section(_("Games"));
        this.seeks = section(_("Players who look for an opponent"), el("ul.seeks"));
        this.past = section(_("Your last games"), el("ul.seeks"));
        this.evenings = section(_("Club evenings"));
        this.none = preview(_("No game is running."));
        this.element = el(
            "main.front",
            el("h1", _("Janggi, Korean chess")),
            this.own.element,
            mayPlay ? inviteForm(page, () => this.refreshSeeks()) : null,
            computerForm(page),
            ...[this.seeks, this.evenings, this.all, this.past].map(({ element }) => element),
            this.none,
        );
        this.timer = setInterval(() => document.hidden || this.refresh(), LIST_MS);
    }

    close() {
        clearInterval(this.timer);
    }

    /* Fills a section, which is not seen while it is empty. */
    /** @param {{ rows: HTMLElement, element: HTMLElement }} section @param {HTMLElement[]} rows */
    fill(section, rows) {
        refill(section.rows, rows);
        section.element.hidden = rows.length === 0;
    }

    /* Resolves to the numbers of the public games. */
    async refresh() {
        if (!this.line.isOpen) return [];
        const { page } = this,
            { hasName } = page.entry;
        const [, mine, games] = await Promise.all([
            this.refreshSeeks(),
            hasName ? this.line.rows("games mine", "game") : [],
            this.line.rows("games", "game"),
        ]);
        const running = mine.map((row) => row.words[0]),
            isPastOld = hasName && !this.running?.every((game) => running.includes(game)),
            isOther = (/** @type {Parsed} */ { items }) =>
                !hasName || ![items.red, items.blue].includes(page.state.name);
        this.running = hasName ? running : null;
        if (isPastOld) this.refreshPast();
        this.refreshEvenings();
        this.fill(this.own, await Promise.all(mine.map(this.card, this)));
        this.none.hidden = games.length > 0 || mine.length > 0;
        this.fill(this.all, await Promise.all(games.filter(isOther).map(this.card, this)));
        return games.map((row) => row.words[0]);
    }

    /* At first, and when a game of ours has ended: the server reads all of them from its disk.
     * Nothing waits for it. */
    async refreshPast() {
        const past = await this.line.rows("history", "game");
        this.fill(this.past, past.slice(0, PAST).map(pastRow));
    }

    /* Lists the evenings that are not over, and the last one that is. */
    async refreshEvenings() {
        const all = await this.line.rows("evening", "evening"),
            number = (/** @type {Parsed} */ row) => Number(row.words[0]);
        const over = all.filter((row) => row.items.state === "over"),
            last = Math.max(...over.map(number)),
            shown = all.filter((row) => row.items.state !== "over" || number(row) === last);
        const part =
            shown.length > 0 ? await loadPart(this.page.files, "evening").catch(() => null) : null;
        const card = (/** @type {Parsed} */ { words, items }) =>
            el(
                "a.card",
                { href: "/?evening=" + words[0] },
                el("span.pair", items.name),
                el("span.faint", part?.eveningWords(items)),
            );
        this.fill(this.evenings, shown.map(card));
    }

    /** @param {Parsed} row @param {number} index */
    async card({ words: [game], items }, index) {
        const state = index < PICTURES ? await this.line.ask("state game=" + game) : null;
        const isTurn = items.side !== undefined && items.turn === items.side,
            count = items.watchers,
            n = Number(items.ply) + 1;
        const facts = [
            items.rules,
            items.time === "none" ? _("no clock") : items.time,
            items.phase === "setup" ? _("line-ups") : fill(_("move {n}"), { n }),
            Number(count) > 0 ? fill(_("{count} watching"), { count }) : "",
        ];
        return el(
            "a.card",
            { href: "/game/" + game },
            state?.ok
                ? smallBoard(cellsOf(state.items.position), "hanja", items.side === "blue")
                : null,
            pairOf("span.pair", items),
            isTurn ? el("strong", _("Your turn")) : null,
            el("span.faint", facts.filter(Boolean).join(" · ")),
        );
    }

    /* --- Opponents --- */

    async refreshSeeks() {
        const seeks = this.mayPlay ? await this.line.rows("seeks", "seek") : [];
        this.fill(this.seeks, seeks.map(this.seekRow, this));
    }

    /** @param {Parsed} row */
    seekRow({ words: [id], items }) {
        const { page } = this,
            isOurs = page.entry.hasName && items.by === page.state.name,
            play = () => page.needName(_("Play"), () => page.accept(id));
        return el(
            "li",
            { "data-id": id },
            el("strong", items.by),
            el("span.faint", ratingWords(items)),
            el("span.faint.terms", termsWords(page.core, items)),
            isOurs
                ? actionButton(_("Withdraw"), () => this.withdraw(id))
                : actionButton(_("Play"), play, true),
        );
    }

    /** @param {string} id */
    async withdraw(id) {
        this.page.state.seeking = null;
        await this.line.ask("withdraw " + id);
        await this.refreshSeeks();
    }
}

/** @param {Parsed} row */
function pastRow({ words: [game], items }) {
    /** @type {Items} */
    const results = { red: _("Red wins"), blue: _("Blue wins"), draw: _("Draw") },
        day = new Date(1000 * Number(items.ended_s)).toLocaleDateString(chosenLanguage());
    return el(
        "li",
        pairOf("a.pair", items, "/game/" + game),
        el("span.faint.terms", results[items.result] ?? "–"),
        el("span.faint", day),
    );
}

/* The form for a new game: with the first opponent who comes, or on chosen terms, with a friend
 * or with anybody who accepts them. */
/** @param {Page} page @param {() => unknown} onSeek */
function inviteForm(page, onSeek) {
    const times = same(["10m+5s", "20m+3x40s", "5m", "1h", "3d"]),
        ranges = { 200: _("rating") + " ±200", 400: _("rating") + " ±400" };
    const time = choice(_("Time"), { ...times, none: _("no clock") }, "10m+5s"),
        rules = choice(_("Rules"), same(page.state.rulesets), page.state.rulesets[0]),
        side = choice(_("Side"), { any: _("either side"), ...sides() }, "any"),
        range = choice(_("Opponent"), { any: _("any rating"), ...ranges }, "any");
    /* In a rated game nobody chooses the side. */
    const fit = () => {
        if (rated.checked) side.value = "any";
        side.disabled = rated.checked;
    };
    /** @type {HTMLInputElement} */
    const rated = el("input", { type: "checkbox", onchange: fit });
    const terms = () => `time=${time.value} rules=${rules.value} side=${side.value}`,
        ratedTerm = () => (rated.checked ? " rated=yes" : ""),
        opponent = () => ratedTerm() + (range.value === "any" ? "" : " range=" + range.value);
    /** @param {string} words @param {() => string} command */
    const find = (words, command) =>
        page.needName(words, async () => {
            await page.find(command());
            onSeek();
        });
    const invite = () => page.invite(terms() + ratedTerm());
    const own = el(
        "div.own",
        el("p.faint", _("Or choose the time and the side yourself, for a friend or for anybody:")),
        time.parentNode,
        side.parentNode,
        actionButton(_("Make a link"), () => page.needName(_("Play with a friend"), invite)),
        actionButton(_("Find an opponent"), () =>
            find(_("Find an opponent"), () => `seek ${terms()}${opponent()}`),
        ),
    );
    return form(
        "form.invite",
        () => find(_("Play now"), () => `play rules=${rules.value}${opponent()}`),
        el("h2", _("New game")),
        rules.parentNode,
        range.parentNode,
        el("label.choice", rated, _("Rated")),
        submitter(_("Play now"), true),
        own,
    );
}

/* A game in this browser alone (computer.js). */
/** @param {Page} page */
function computerForm(page) {
    const levels = same(Array.from({ length: 10 }, (_none, i) => String(i + 1)));
    const level = choice(_("Level"), levels, recall("level", "3")),
        rules = choice(_("Rules"), same(page.state.rulesets), page.state.rulesets[0]),
        side = choice(_("Side"), sides(), "red");
    const begin = () => {
        remember("level", level.value);
        page.playComputer({
            level: Number(level.value),
            rules: rules.value,
            side: /** @type {Side} */ (side.value),
        });
    };
    return form(
        "form.invite",
        begin,
        el("h2", _("Play the computer")),
        level.parentNode,
        rules.parentNode,
        side.parentNode,
        submitter(_("Begin"), true),
        !recall("computer", "").includes('"events":["')
            ? null
            : actionButton(_("Continue your game"), () => page.playComputer()),
    );
}

function sides() {
    return { red: _("Red"), blue: _("Blue") };
}

/* A list inside its label. */
/** @param {string} label @param {Record<string, string>} words @param {string} chosen */
function choice(label, words, chosen) {
    const list = picker(words, chosen);
    el("label.labelled.faint", label, list);
    return list;
}
