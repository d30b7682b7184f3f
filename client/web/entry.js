/* The reader's identity: a name and the token that proves it; joining by link, and
 * inviting. */

class Entry {
    /** @param {Page} page */
    constructor(page) {
        this.page = page;
        this.isVisit = page.isEmbedded; /* what the browser remembers stays as it is */
        this.name = this.isVisit ? "" : recall("name", "");
        this.token = this.isVisit ? "" : recall("token", "");
    }

    /* The name under which tabs share their connection; "": this one has its own. */
    sharedName() {
        return this.isVisit || this.token === "" ? "" : this.name;
    }

    /* Logs in with the name that was used here before, or as a guest. Inside the page of
     * somebody else, always as a guest: that page could trick the reader into clicking. A name
     * that is only not admitted now is still the reader's, so the name that the server gives to
     * a guest is for this visit. */
    /** @param {Line} line */
    async login(line) {
        /** @type {string | undefined} */
        let refusal;
        if (this.name !== "" && this.token !== "") {
            const answer = await line.ask(`login ${this.name} token=${this.token}`),
                why = answer?.words[0];
            if (!answer || !["proof", "entry", "name", "no-such"].includes(why ?? ""))
                return this.take(answer);
            if (why === "entry") ((this.isVisit = true), (refusal = answer.human));
        }
        this.hasName = false;
        const answer = await line.ask("login");
        this.refusal = refusal;
        if (refusal !== undefined && answer?.ok === false) answer.human = refusal;
        return this.take(answer);
    }

    /* Finds out whether a browser may play here: a server that lets browsers only watch
     * refuses every name for that reason, also an invalid one. */
    /** @param {Line} line */
    async mayPlay(line) {
        const answer = await line.ask("login -");
        return answer?.words[0] !== "entry";
    }

    /* With a name, or with the line that proves one: "login hong token=..." or "... code=...". */
    /** @param {Line} line @param {string} words @param {string} [invite] */
    async loginAs(line, words, invite) {
        const proved = /^(?:login\s+)?(\S+)\s+((?:token|code)=\S+)$/.exec(words),
            [, name, proof] = proved ?? [null, words, ""],
            how = proof || (invite ? "invite=" + invite : "");
        const answer = await line.ask(`login ${name} ${how}`.trim());
        if (answer?.ok && proof.startsWith("token="))
            answer.items.token ??= proof.slice("token=".length);
        if (answer?.ok) this.isVisit = this.page.isEmbedded;
        return this.take(answer);
    }

    /* The token is kept before it is used: it is the only way back to the name. */
    /** @param {Answer | null} answer */
    take(answer) {
        if (!answer?.ok) return answer;
        this.hasName = answer.items.proof === "token";
        if (answer.items.token === undefined) return answer;
        this.name = answer.items.name;
        this.token = answer.items.token;
        this.isKept =
            this.isVisit || (remember("name", this.name) && remember("token", this.token));
        this.isLater = this.isVisit;
        return answer;
    }

    /* Proves the name in another browser or at a terminal. */
    line() {
        return `login ${this.name} token=${this.token}`;
    }

    /* Reminds of that line, without showing it, until it was copied; null: there is nothing to
     * save. "Later" is good for this visit. */
    reminder() {
        if (!this.hasName || this.isLater || recall("saved", "") === this.name) return null;
        const isKept = this.isKept !== false;
        const words = isKept
            ? _(
                  "This browser remembers you as {name}, but it may forget you: save the secret line that proves your name.",
              )
            : _(
                  "This browser does not remember you, {name}: save the secret line that proves your name.",
              );
        const note = el("p.offer.keep", { role: "status" }),
            said = el("span", fill(words, { name: this.name }) + " ");
        const copied = () => {
            remember("saved", this.name);
            this.isLater = true;
            note.replaceChildren(el("span", _("Copied. Keep it like a password.")));
        };
        /* The sheet under the name, with the line selected. */
        const showLine = () => {
            document.querySelector("details.identity")?.setAttribute("open", "");
            /** @type {HTMLElement | null} */ (document.querySelector(".identity input"))?.focus();
        };
        const copy = () => navigator.clipboard.writeText(this.line()).then(copied, showLine);
        const later = () => {
            this.isLater = true;
            note.remove();
        };
        note.append(said, actionButton(_("Copy the secret line"), copy, true));
        note.append(actionButton(_("Later"), later));
        return note;
    }

    /* The name, and on demand its line. */
    badge() {
        const line = keepsake(_("The secret line that proves your name"), this.line()),
            code = el("p");
        return el(
            "details.identity",
            el("summary", this.name),
            el(
                "div.sheet",
                el("p", _("Save this line: it is a secret, and the only way back to your name.")),
                line,
                actionButton(_("A code for another device"), () => this.showCode(code)),
                code,
            ),
        );
    }

    /** @param {HTMLElement} out */
    async showCode(out) {
        const answer = await this.page.line.ask("device");
        if (answer === null) return;
        const words = _(
            "On the other device, type: login {name} code={code} (valid for {minutes} minutes)",
        );
        out.textContent = answer.ok
            ? fill(words, { ...answer.items, name: this.name })
            : answer.human;
    }
}

/* Asks for a name, then does what needs one. */
class NameForm {
    /**
     * @param {Page} page @param {string} words @param {string | undefined} invite
     * @param {() => unknown} onNamed
     */
    constructor(page, words, invite, onNamed) {
        const said = el("p.refusal", { role: "status", text: page.entry.refusal ?? "" });
        const name = field({
            required: true,
            maxlength: 100,
            autocomplete: "nickname",
            "aria-label": _("Your name"),
        });
        const send = async () => {
            await page.line.wake();
            const answer = await page.entry.loginAs(page.line, name.value.trim(), invite);
            if (answer === null) return;
            if (!answer.ok) said.textContent = answer.human;
            else (page.named(), onNamed());
        };
        this.element = el(
            "main.front.sheet-page",
            el("h1", words),
            el(
                "p.faint",
                _(
                    "Choose a name: 2 to 16 letters, digits, _ or -, or 2 to 8 Hangul syllables. If you have a name here already, paste the secret line that proves it instead.",
                ),
            ),
            form("form.typing", send, name, submitter(_("Play"), true)),
            said,
            preview(""),
        );
        setTimeout(() => name.focus(), 0);
    }

    close() {}
}

/* A text in the middle of the page, perhaps with a link to send, and with something to look at
 * for one who waits. */
/** @param {string} title @param {string} words @param {string} [link] @returns {View} */
function noticeView(title, words, link, isWait = link !== undefined) {
    const element = el("main.front.sheet-page", el("h1", title), el("p", words));
    if (link !== undefined) {
        const line = keepsake(_("The link"), link),
            copy = () => navigator.clipboard.writeText(link).catch(() => line.select());
        element.append(el("div.typing", line, actionButton(_("Copy"), copy, true)));
    }
    if (isWait) element.append(preview(""));
    return { element, close() {} };
}
