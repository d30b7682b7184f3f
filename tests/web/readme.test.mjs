// The first game in a browser, as client/FIRST_GAME.md has it: each row of its table is done, and its words are looked for.
// README.md has the first rows of the same table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Server, openBrowser, picture, point, until, visit } from "./house.mjs";

const TRIES = 30; // until the draw for sides makes hong Red: each one is a coin
let browser;
before(async () => { browser = await openBrowser(); });
after(async () => { await browser?.close(); });

function rowsOf(text) {
    const table = text.split("<!-- browser: begin -->")[1].split("<!-- browser: end -->")[0];
    return table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| who")).map((line) => {
        const [who, does, reads] = line.split("|").slice(1, -1).map((cell) => cell.trim());
        return { who, does: does.split(/, (?=[a-z ]+ `)/), reads: reads.replaceAll("`", "") };
    });
}

const center = async (page, name) => {
    const box = await (await page.waitForSelector(point(name))).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
};
const type = async (page, field, words) => {
    await until(page, "a field for " + words, (selector) => document.querySelector(selector)?.checkVisibility(), field);
    await page.type(field, words);
    await page.keyboard.press("Enter");
};

// What a word of the second column does, with what stands in back quotes.
const deeds = {
    types: (page, words) => type(page, "form.typing input", words),
    "types in the chat": (page, words) => type(page, ".talk input", words),
    clicks: (page, name) => page.locator(point(name)).click(),
    async picks(page, lineup) {
        /* A locator looks again when the page has drawn the element anew. */
        await page.locator(`.lineups:not([hidden]) [aria-label="${lineup}"]`).click();
    },
    async drags(page, from, to) {
        await page.mouse.move(...await center(page, from));
        await page.mouse.down();
        await page.mouse.move(...await center(page, to), { steps: 5 });
        await page.mouse.up();
    },
    async presses(page, words) {
        const wanted = (text) => [...document.querySelectorAll("button")].find((each) => each.textContent === text && each.checkVisibility());
        await until(page, "the button " + words, wanted, words);
        await page.evaluate((text) => [...document.querySelectorAll("button")].find((each) => each.textContent === text && each.checkVisibility()).click(), words);
    },
};

class OtherSide extends Error {}

async function playTable(rows) {
    const server = new Server(["--web", "play", "--invite"], []), pages = {};
    await server.start();
    try {
        for (const { who, does, reads } of rows) {
            for (const each of does) {
                const verb = each.split(" `")[0], words = [...each.matchAll(/`([^`]*)`/g)].map((found) => found[1]);
                if (verb === "opens")
                    pages[who] = await visit(browser, words[0].replace("https://192.168.1.20:9032", server.url).replace("K7Q2-9F3M", server.code));
                else await deeds[verb](pages[who], ...words);
            }
            if (who === "kim" && reads === "Red chooses a line-up") {
                await until(pages.kim, "the sides", () => document.querySelector(".player.red .name")?.textContent);
                if (await pages.kim.$eval(".player.red .name", (name) => name.textContent) !== "hong") throw new OtherSide();
            }
            await until(pages[who], `${who}: ${does}: ${reads}`, (wanted) => document.body.innerText.replace(/\s+/g, " ").includes(wanted), reads);
        }
        for (const who of Object.keys(pages)) {
            await picture(pages[who], "readme-" + who);
            assert.deepEqual(pages[who].faults, []);
        }
    } finally {
        await server.remove();
    }
}

async function playUntilHongIsRed(rows) {
    for (let i = 0; i < TRIES; i++)
        try {
            return await playTable(rows);
        } catch (error) {
            if (!(error instanceof OtherSide)) throw error;
        }
    throw new Error(`hong was Blue ${TRIES} times`);
}

test("the first game of FIRST_GAME.md and README.md", async () => {
    const rows = rowsOf(readFileSync("client/FIRST_GAME.md", "utf8"));
    const first = rowsOf(readFileSync("README.md", "utf8"));
    assert.ok(rows.length >= 10 && first.length >= 5);
    assert.deepEqual(first, rows.slice(0, first.length));
    await playUntilHongIsRed(rows);
});
