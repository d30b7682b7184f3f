/* The reader's identity: a name and the token that proves it; joining by link, and
 * inviting. */

class Entry {
    constructor(page) {
        this.page = page;
        this.name = recall("name", "");
        this.token = recall("token", "");
    }

    /* Logs in with the name that was used here before, or as a guest. Inside the page of somebody else, always as a
     * guest: that page could trick the reader into clicking. */
    async login(line) {
        if (this.name !== "" && this.token !== "" && !this.page.isEmbedded) {
            const answer = await line.ask(`login ${this.name} token=${this.token}`);
            const isRefused = answer !== null && ["proof", "entry", "name", "no-such"].includes(answer.words[0]);
            if (!isRefused) return this.take(answer);
        }
        return this.take(await line.ask("login"));
    }

    /* Finds out whether a browser may play here: a server that lets browsers only watch
     * refuses every name for that reason, also an invalid one. */
    async mayPlay(line) {
        const answer = await line.ask("login -");
        return answer?.words[0] !== "entry";
    }

    /* With a name, or with the line that proves one: "login hong token=..." or "... code=...". */
    async loginAs(line, words, invite) {
        const [, name, proof] = /^(?:login\s+)?(\S+)\s+((?:token|code)=\S+)$/.exec(words) ?? [null, words, ""];
        const answer = await line.ask(`login ${name}${proof ? " " + proof : invite ? " invite=" + invite : ""}`);
        if (answer?.ok && proof.startsWith("token=")) answer.items.token ??= proof.slice("token=".length);
        return this.take(answer);
    }

    /* The token is kept before it is used: it is the only way back to the name. */
    take(answer) {
        if (!answer?.ok) return answer;
        this.hasName = answer.items.proof === "token";
        if (answer.items.token === undefined) return answer;
        this.name = answer.items.name;
        this.token = answer.items.token;
        this.isKept = remember("name", this.name) && remember("token", this.token);
        this.isLater = false;
        return answer;
    }

    /* Proves the name in another browser or at a terminal. */
    line() {
        return `login ${this.name} token=${this.token}`;
    }

    /* Reminds of that line, without showing it, until it was copied; null: there is nothing to save.
     * "Later" is good for this visit. */
    reminder() {
        if (!this.hasName || this.isLater || recall("saved", "") === this.name) return null;
        const isKept = this.isKept !== false;
        const words = isKept ? _("This browser remembers you as {name}, but it may forget you: save the line that proves your name.")
            : _("This browser does not remember you, {name}: save the line that proves your name.");
        const said = el("span", { text: fill(words, { name: this.name }) + " " });
        const copy = actionButton(_("Copy the secret line"), async () => {
            const isCopied = await navigator.clipboard.writeText(this.line()).then(() => true, () => false);
            if (!isCopied) return this.showLine();
            remember("saved", this.name);
            this.isLater = true;
            note.replaceChildren(el("span", { text: _("Copied. Keep it like a password.") }));
        }, true);
        const later = actionButton(_("Later"), () => {
            this.isLater = true;
            note.remove();
        });
        const note = el("p", { class: "offer keep", role: "status" }, said, copy, later);
        return note;
    }

    /* Opens the sheet under the name, with the line selected. */
    showLine() {
        const sheet = document.querySelector("details.identity");
        sheet.open = true;
        sheet.querySelector("input").focus();
    }

    /* The name, and on demand its line. */
    badge() {
        const line = el("input", { type: "text", readonly: true, "aria-label": _("The line that proves your name"),
                                   value: this.line(), onfocus: () => line.select() });
        const code = el("p");
        return el("details", { class: "identity" }, el("summary", { text: this.name }),
            el("div", { class: "sheet" },
                el("p", { text: _("Save this line: it is a secret, and the only way back to your name.") }),
                line, actionButton(_("A code for another device"), () => this.showCode(code)), code));
    }

    async showCode(out) {
        const answer = await this.page.line.ask("device");
        if (answer === null) return;
        out.textContent = answer.ok ? fill(_("On the other device: login {name} code={code} ({minutes} minutes)"),
            { name: this.name, code: answer.items.code, minutes: answer.items.minutes }) : answer.human;
    }
}

/* Asks for a name, then does what needs one. */
class NameForm {
    constructor(page, words, invite, onNamed) {
        const said = el("p", { class: "refusal", role: "status" });
        const name = el("input", { type: "text", required: true, maxlength: 100, autocomplete: "nickname", "aria-label": _("Your name") });
        const send = async (event) => {
            event.preventDefault();
            const answer = await page.entry.loginAs(page.line, name.value.trim(), invite);
            if (answer === null) return;
            if (!answer.ok) said.textContent = answer.human;
            else page.named(), onNamed();
        };
        this.element = el("main", { class: "front sheet-page" }, el("h1", { text: words }),
            el("p", { class: "faint", text: _("Choose a name: 2 to 16 letters, digits, _ or -, or 2 to 8 Hangul syllables. If you have one, paste the line that proves it.") }),
            el("form", { class: "typing", onsubmit: send }, name, el("button", { type: "submit", class: "main tool", text: _("Play") })), said);
        setTimeout(() => name.focus(), 0);
    }

    close() {}
}

/* A text in the middle of the page, perhaps with a link to send. */
class Notice {
    constructor(title, words, link) {
        const field = link === undefined ? null
            : el("input", { type: "text", readonly: true, value: link, "aria-label": _("The link"), onfocus: () => field.select() });
        const copy = link === undefined ? null : actionButton(_("Copy"), async () => {
            await navigator.clipboard.writeText(link).catch(() => field.select());
        }, true);
        this.element = el("main", { class: "front sheet-page" }, el("h1", { text: title }), el("p", { text: words }),
            link === undefined ? null : el("div", { class: "typing" }, field, copy));
    }

    close() {}
}

/* The form for a new game: with the first opponent who comes, or on chosen terms, with a friend or with anybody who
 * accepts them. */
class InviteForm {
    constructor(page, onSeek) {
        this.time = this.choice(_("Time"), { "10m+5s": "10m+5s", "20m+3x40s": "20m+3x40s", "5m": "5m", "1h": "1h", "3d": "3d", none: _("no clock") });
        this.rules = this.choice(_("Rules"), Object.fromEntries(page.rulesets.map((name) => [name, name])));
        this.side = this.choice(_("Side"), { any: _("either side"), red: _("Red"), blue: _("Blue") });
        this.range = this.choice(_("Opponent"), { any: _("any rating"), 200: _("rating") + " ±200", 400: _("rating") + " ±400" });
        this.rated = el("input", { type: "checkbox", onchange: () => this.fit() });
        const find = (words, command) => page.needName(words, async () => {
            await page.find(command());
            onSeek();
        });
        const play = (event) => {
            event.preventDefault();
            find(_("Play now"), () => `play rules=${this.rules.value}${this.opponent()}`);
        };
        this.element = el("form", { class: "invite", onsubmit: play }, el("h2", { text: _("New game") }), this.rules, this.range,
            el("label", { class: "choice" }, this.rated, _("Rated")), el("button", { type: "submit", class: "main tool", text: _("Play now") }),
            el("div", { class: "own" }, this.time, this.side,
                actionButton(_("Make a link"), () => page.needName(_("Play with a friend"), () => page.invite(this.terms() + this.ratedTerm()))),
                actionButton(_("Find an opponent"), () => find(_("Find an opponent"), () => `seek ${this.terms()}${this.opponent()}`))));
    }

    /* Puts "any" first itself, because an object has its numeric keys first. */
    choice(label, values) {
        return el("select", { "aria-label": label }, ...Object.entries(values).sort(([a], [b]) => (b === "any") - (a === "any"))
            .map(([value, text]) => el("option", { value, text })));
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
