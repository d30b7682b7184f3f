// A whole game in Korean: no English word is shown, nor read to a blind reader.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { Player, Server, build, point, staged, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--name", "장기판", "--limits", "setup-s=600"]);
let browser;
staged(server, (opened) => { browser = opened; });

// Names, keys, what is typed, and the words of the switch between the languages.
const NAMES = ["janggi", "pass", "Home", "End", "terminal", "martin", "courier", "vchess", "kja", "English", "Language"];

// The Latin words that a reader sees or hears; points and names are none.
const english = (page) => page.evaluate((names) => {
    const seen = [document.title, document.body.innerText];
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
        if (element.checkVisibility())
            for (const name of ["aria-label", "title", "placeholder", "alt"]) seen.push(element.getAttribute(name) ?? "");
    return [...new Set(seen.join(" ").replace(/https?:\S+/g, " ").match(/\b[A-Za-z][a-z']+\b/g) ?? [])].filter((word) => !names.includes(word));
}, NAMES);

async function isKorean(page, what) {
    assert.deepEqual(await english(page), [], what);
}

const shows = (page, pattern) => until(page, String(pattern), (source) => new RegExp(source).test(document.body.innerText), pattern.source);

test("a game in Korean has no English word", async () => {
    const terminal = await new Player(server).connect();
    await terminal.ask("login terminal", /^OK login/);
    const home = await visit(browser, server.url, { language: "ko-KR" });
    await until(home, "the list", () => document.querySelector("main") !== null);
    await isKorean(home, "the first page");
    const code = (await terminal.ask("invite time=10m+5s side=blue", /^OK invite code=(\S+)/))[1];
    await terminal.ask("join " + code, /^OK join waiting/);
    const page = await visit(browser, `${server.url}/join#${code}`, { language: "ko-KR" });
    await until(page, "the question for a name", () => document.querySelector("form.typing input"));
    await isKorean(page, "the question for a name");
    await page.type("form.typing input", "장");
    await page.keyboard.press("Enter");
    await shows(page, /이름은/);
    await isKorean(page, "a refused name");
    await page.$eval("form.typing input", (input) => { input.value = ""; });
    await page.type("form.typing input", "철수");
    await page.keyboard.press("Enter");
    const game = (await terminal.hear(/^! game (\d+) 0 start red=/))[1];
    await until(page, "the line-ups", () => document.querySelector(".countdown"));
    await isKorean(page, "the set-up");
    await page.click(".lineups button");
    await terminal.hear(/ 1 setup red /);
    await terminal.ask(`setup game=${game} BNNB`, /^OK setup/);
    await until(page, "our turn", () => document.querySelector(".status span")?.textContent === "내 차례");
    await isKorean(page, "the first move");
    await page.click(point("A0"));
    await page.click(point("B5"));
    await until(page, "why not", () => document.querySelector(".refusal").textContent !== "");
    await isKorean(page, "a refused move");
    await page.click(point("A3"));
    await page.click(point("A4"));
    await terminal.hear(/ move 1 red A3-A4/);
    await terminal.ask(`draw game=${game}`, /^OK draw/);
    await terminal.ask(`say game=${game} 안녕`, /^OK say/);
    await shows(page, /무승부/);
    await shows(page, /안녕/);
    await isKorean(page, "an offer");
    await terminal.ask(`move game=${game} a6a5`, /^OK move/);
    await until(page, "our turn", () => document.querySelectorAll(".moves .ply").length === 2);
    execFileSync(join(build, "janggid"), ["ctl", "--data", join(server.directory, "data"), "notice", "공지"]);
    await shows(page, /운영자: 공지/);
    await isKorean(page, "a notice");
    await terminal.ask(`resign game=${game}`, /^OK resign/);
    await shows(page, /기권/);
    await isKorean(page, "the end");
    await page.goto(server.url + "/join#AAAA-AAAA", { waitUntil: "load" });
    await page.reload({ waitUntil: "load" });
    await shows(page, /초대/);
    await isKorean(page, "a refused invitation");
    await page.goto(server.url + "/game/999", { waitUntil: "load" });
    await shows(page, /999/);
    await isKorean(page, "a game that is not there");
    assert.deepEqual(page.faults.filter((fault) => !/404/.test(fault)), []);
});
