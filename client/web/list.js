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
        /** @param {string} title */
        const section = (title) => {
            const rows = el("div.games");
            return { rows, element: el("section", { hidden: true }, el("h2", title), rows) };
        };
        this.own = section(_("Your games"));
        this.all = section(_("Games"));
        this.seeks = el("ul.seeks");
        this.wanted = el(
            "section",
            { hidden: true },
            el("h2", _("Players who look for an opponent")),
            this.seeks,
        );
        this.past = el("ul.seeks");
        this.ended = el("section", { hidden: true }, el("h2", _("Your last games")), this.past);
        this.evenings = section(_("Club evenings"));
        this.none = preview(_("No game is running."));
        this.element = el(
            "main.front",
            el("h1", _("Janggi, Korean chess")),
            this.own.element,
            mayPlay ? new InviteForm(page, () => this.refreshSeeks()).element : null,
            computerForm(page),
            this.wanted,
            this.evenings.element,
            this.all.element,
            this.ended,
            this.none,
        );
        this.timer = setInterval(() => document.hidden || this.refresh(), LIST_MS);
    }

    close() {
        clearInterval(this.timer);
    }

    /* Resolves to the numbers of the public games. */
    async refresh() {
        if (!this.line.isOpen) return [];
        const [, , games] = await Promise.all([
            this.refreshSeeks(),
            this.refreshOwn(),
            this.games("games"),
        ]);
        this.refreshEvenings();
        const others = games.filter((row) => !this.isOwn(row));
        this.none.hidden = games.length > 0 || !this.own.element.hidden;
        await this.fill(this.all, others, PICTURES);
        return games.map((row) => row.words[0]);
    }

    async refreshOwn() {
        const mine = this.page.entry.hasName ? await this.games("games mine") : [];
        const running = mine.map((row) => row.words[0]);
        const isPastOld =
            this.page.entry.hasName && !this.running?.every((game) => running.includes(game));
        this.running = this.page.entry.hasName ? running : null;
        if (isPastOld) this.refreshPast();
        await this.fill(this.own, mine, PICTURES);
    }

    /* At first, and when a game of ours has ended: the server reads all of them from its disk.
     * Nothing waits for it. */
    async refreshPast() {
        const past = (await this.games("history")).slice(0, PAST);
        refill(
            this.past,
            past.map((row) => this.pastRow(row)),
        );
        this.ended.hidden = past.length === 0;
    }

    /** @param {Parsed} what */
    pastRow({ words, items }) {
        const { red, blue, result, ended_s } = items;
        /** @type {Items} */
        const results = { red: _("Red wins"), blue: _("Blue wins"), draw: _("Draw") };
        return el(
            "li",
            el(
                "a.pair",
                { href: "/game/" + words[0] },
                el("span.red", red),
                " – ",
                el("span.blue", blue),
            ),
            el("span.faint.terms", results[result] ?? "–"),
            el("span.faint", new Date(1000 * Number(ended_s)).toLocaleDateString(chosenLanguage())),
        );
    }

    /* Lists the evenings that are not over, and the last one that is. */
    async refreshEvenings() {
        const answer = await this.line.ask("evening");
        const all = answer?.ok
            ? answer.block.map(parseLine).filter((row) => row.mark === "evening")
            : [];
        const over = all
            .filter((row) => row.items.state === "over")
            .sort((a, b) => Number(b.words[0]) - Number(a.words[0]))
            .slice(1);
        const shown = all.filter((row) => !over.includes(row));
        const part = shown.length > 0 ? await this.page.evenings().catch(() => null) : null;
        refill(
            this.evenings.rows,
            shown.map(({ words, items }) =>
                el(
                    "a.card",
                    { href: "/?evening=" + words[0] },
                    el("span.pair", items.name),
                    el("span.faint", part?.eveningWords(items)),
                ),
            ),
        );
        this.evenings.element.hidden = shown.length === 0;
    }

    /** @param {Parsed} row */
    isOwn(row) {
        return this.page.entry.hasName && [row.items.red, row.items.blue].includes(this.page.name);
    }

    /** @param {string} command @returns {Promise<Parsed[]>} */
    async games(command) {
        const answer = await this.line.ask(command);
        return answer?.ok ? answer.block.map(parseLine).filter((row) => row.mark === "game") : [];
    }

    /**
     * @param {{ rows: HTMLElement, element: HTMLElement }} section @param {Parsed[]} games
     * @param {number} pictures
     */
    async fill(section, games, pictures) {
        refill(
            section.rows,
            await Promise.all(games.map((row, i) => this.card(row, i < pictures))),
        );
        section.element.hidden = games.length === 0;
    }

    /** @param {Parsed} row @param {boolean} hasPicture */
    async card(row, hasPicture) {
        const game = row.words[0],
            items = row.items;
        const state = hasPicture ? await this.line.ask("state game=" + game) : null;
        const isTurn = items.side !== undefined && items.turn === items.side;
        const facts = [
            items.rules,
            items.time === "none" ? _("no clock") : items.time,
            items.phase === "setup"
                ? _("line-ups")
                : fill(_("move {n}"), { n: Number(items.ply) + 1 }),
            Number(items.watchers) > 0
                ? fill(_("{count} watching"), { count: items.watchers })
                : "",
        ];
        return el(
            "a.card",
            { href: "/game/" + game },
            state?.ok
                ? smallBoard(cellsOf(state.items.position), "hanja", items.side === "blue")
                : null,
            el("span.pair", el("span.red", items.red), " – ", el("span.blue", items.blue)),
            isTurn ? el("strong", _("Your turn")) : null,
            el("span.faint", facts.filter(Boolean).join(" · ")),
        );
    }

    /* --- Opponents --- */

    async refreshSeeks() {
        const answer = this.mayPlay ? await this.line.ask("seeks") : null;
        const seeks = answer?.ok
            ? answer.block.map(parseLine).filter((row) => row.mark === "seek")
            : [];
        refill(
            this.seeks,
            seeks.map((row) => this.seekRow(row)),
        );
        this.wanted.hidden = seeks.length === 0;
    }

    /** @param {Parsed} row */
    seekRow(row) {
        const id = row.words[0],
            isOurs = this.page.entry.hasName && row.items.by === this.page.name;
        return el(
            "li",
            { "data-id": id },
            el("strong", row.items.by),
            el("span.faint", ratingWords(row.items)),
            el("span.faint.terms", termsWords(this.page.core, row.items)),
            isOurs
                ? actionButton(_("Withdraw"), () => this.withdraw(id))
                : actionButton(
                      _("Play"),
                      () => this.page.needName(_("Play"), () => this.page.accept(id)),
                      true,
                  ),
        );
    }

    /** @param {string} id */
    async withdraw(id) {
        this.page.seeking = null;
        await this.line.ask("withdraw " + id);
        await this.refreshSeeks();
    }
}

/* The form for a new game: with the first opponent who comes, or on chosen terms, with a friend
 * or with anybody who accepts them. */
class InviteForm {
    /** @param {Page} page @param {() => unknown} onSeek */
    constructor(page, onSeek) {
        const times = same(["10m+5s", "20m+3x40s", "5m", "1h", "3d"]);
        this.time = choice(_("Time"), { ...times, none: _("no clock") }, "10m+5s");
        this.rules = choice(_("Rules"), same(page.rulesets), page.rulesets[0]);
        this.side = choice(_("Side"), { any: _("either side"), ...sides() }, "any");
        const ranges = { 200: _("rating") + " ±200", 400: _("rating") + " ±400" };
        this.range = choice(_("Opponent"), { any: _("any rating"), ...ranges }, "any");
        this.rated = el("input", { type: "checkbox", onchange: () => this.fit() });
        /** @param {string} words @param {() => string} command */
        const find = (words, command) =>
            page.needName(words, async () => {
                await page.find(command());
                onSeek();
            });
        /** @param {Event} event */
        const play = (event) => {
            event.preventDefault();
            find(_("Play now"), () => `play rules=${this.rules.value}${this.opponent()}`);
        };
        this.element = el(
            "form.invite",
            { onsubmit: play },
            el("h2", _("New game")),
            this.rules.parentNode,
            this.range.parentNode,
            el("label.choice", this.rated, _("Rated")),
            el("button.main.tool", { type: "submit", text: _("Play now") }),
            el(
                "div.own",
                el(
                    "p.faint",
                    _("Or choose the time and the side yourself, for a friend or for anybody:"),
                ),
                this.time.parentNode,
                this.side.parentNode,
                actionButton(_("Make a link"), () =>
                    page.needName(_("Play with a friend"), () =>
                        page.invite(this.terms() + this.ratedTerm()),
                    ),
                ),
                actionButton(_("Find an opponent"), () =>
                    find(_("Find an opponent"), () => `seek ${this.terms()}${this.opponent()}`),
                ),
            ),
        );
    }

    terms() {
        return `time=${this.time.value} rules=${this.rules.value} side=${this.side.value}`;
    }

    ratedTerm() {
        return this.rated.checked ? " rated=yes" : "";
    }

    opponent() {
        return this.ratedTerm() + (this.range.value === "any" ? "" : " range=" + this.range.value);
    }

    /* In a rated game nobody chooses the side. */
    fit() {
        if (this.rated.checked) this.side.value = "any";
        this.side.disabled = this.rated.checked;
    }
}

/* A game in this browser alone (computer.js). */
/** @param {Page} page */
function computerForm(page) {
    const levels = same(Array.from({ length: 10 }, (_none, i) => String(i + 1)));
    const level = choice(_("Level"), levels, recall("level", "3")),
        rules = choice(_("Rules"), same(page.rulesets), page.rulesets[0]),
        side = choice(_("Side"), sides(), "red");
    /** @param {Event} event */
    const begin = (event) => {
        event.preventDefault();
        remember("level", level.value);
        page.playComputer({
            level: Number(level.value),
            rules: rules.value,
            side: /** @type {Side} */ (side.value),
        });
    };
    return el(
        "form.invite",
        { onsubmit: begin },
        el("h2", _("Play the computer")),
        level.parentNode,
        rules.parentNode,
        side.parentNode,
        el("button.main.tool", { type: "submit", text: _("Begin") }),
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
