// The page in the build.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const whole = process.env.BUILD ?? "build", build = join(whole, "late");

test("no visitor gets the types of the scripts", () => {
    const scripts = readdirSync(join(whole, "web")).filter((name) => name.endsWith(".js"));
    for (const name of scripts) assert.doesNotMatch(readFileSync(join(whole, "web", name), "utf8"), /@(type|param|template|returns)\b/, name);
    assert.ok(scripts.includes("page.js"));
});

test("a build without the page's compiler gets the page when the compiler is there", () => {
    rmSync(build, { recursive: true, force: true });
    const files = join(build, "web_files.c"), make = (...words) => execFileSync("make", [...words, "BUILD=" + build, files], { encoding: "utf8" });
    make("WASM_CC=false");
    assert.match(make("--dry-run"), /web_files\.sh .*\/page\.js/);
    rmSync(build, { recursive: true, force: true });
});
