#!/usr/bin/env python3
"""Figures about the sources: how large files and functions are, and whether public names
begin with the name of their file or family, or of a type that its header declares.

    figures.py [--names | --rebuilds | --since REV | --savings REV] [ROOT [BUILD_DIR]]

Code lines are lines without comments and blank lines. --since counts them for each folder
of C sources, tests included, against a revision: files that are new, files that are gone, and
the files that are in both, also under another name, by whether they grew or shrank.
--savings lists the commits since a revision that left fewer code lines in C sources than
they found, most first, and their sum: a reader can judge each of them.
--names lists the public functions whose name begins with neither (the symbols of the objects in
BUILD_DIR, "build", tell which are public). --rebuilds lists, for each header, how many
objects are built again when it changes, by the .d files beside the objects.
"""
import pathlib
import re
import statistics
import subprocess
import sys


PARTS = ('common', 'server', 'client', 'tests')
# (part, its folders and files, code lines that a count file by file can show, those of a second pass).
# A file counts for the longest of these names that it begins with.
TARGETS = (
    ('common', 'common', 11800, 11000),
    ('server: main, base, settings', 'server server/base server/package', 2400, 2300),
    ('server: store', 'server/store', 3400, 2600),
    ('server: postgres', 'server/postgres', 1600, 1100),
    ('server: account', 'server/account', 3400, 3000),
    ('server: net', 'server/net server/admission', 3200, 3000),
    ('server: room', 'server/room', 3000, 2700),
    ('server: lobby', 'server/lobby', 2500, 2300),
    ('server: evening', 'server/evening', 1200, 1100),
    ('server: verb', 'server/verb server/command', 5500, 5000),
    ('server: web', 'server/web', 1400, 1300),
    ('server: admin', 'server/admin', 1400, 1300),
    ('client: main, view, verb', 'client client/base client/net client/console client/view client/verb',
     10300, 8700),
    ('client: session', 'client/session client/online client/local client/replay client/learn',
     4100, 3700),
    ('client: bot, tools, formats', 'client/bot client/tools client/formats', 4300, 3600),
    ('client: engine', 'client/engine client/uci client/analyse', 3400, 3400),
    ('client: wasm', 'client/wasm', 0, 0),
    ('client: web (.mjs)', 'client/web', 4400, 4000),
    ('tests', 'tests', 62000, 50000),
)
DATA = 'client/engine/nnue_weights.h'
PER_THOUSAND, SOURCES = (58, 48), (220, 180)


def code_lines(text):
    """Lines that hold code."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*',
                  lambda m: m.group() if m.group().startswith('"') else
                  '\n' * m.group().count('\n'), text, flags=re.S)
    return sum(1 for line in text.splitlines() if line.strip())


def part_of(path):
    """Its row of TARGETS."""
    return max(TARGETS, key=lambda row: max((len(name) for name in row[1].split()
                                             if str(path).startswith(name + '/')), default=-1))[0]


def targets(root, texts):
    """Prints how large each part is, how large it should be, and how large it could be."""
    lines = dict.fromkeys((row[0] for row in TARGETS), 0)
    kept = subprocess.run(['git', '-C', root, 'ls-files', *PARTS], text=True, stdout=subprocess.PIPE, check=True)
    for path in map(pathlib.Path, kept.stdout.splitlines()):
        if path in texts and str(path) != DATA:
            lines[part_of(path)] += code_lines(texts[path])
        elif path.suffix in ('.js', '.mjs', '.css', '.html') and part_of(path) == 'client: web (.mjs)' or \
                path.suffix in ('.c', '.h', '.py', '.sh', '.mjs', '.js', '.play') and part_of(path) == 'tests':
            lines[part_of(path)] += code_lines((root / path).read_text())
    row = '{:38} {:>7} {:>7} {:>7}'.format
    print(row('code lines', 'today', 'target', 'aim'))
    for name, _, target, aim in TARGETS:
        print(row(name, lines[name], target or '', aim or ''))
    functions = sum(1 for path, text in texts.items() if path.suffix == '.c' for _ in function_lengths(text))
    sources = sum(path.suffix == '.c' for path in texts)
    product = sum(n for name, n in lines.items() if name not in ('tests', 'client: web (.mjs)'))
    print(row('product, without the page', product, 62600, 56000))
    print(row('functions in 1,000 code lines', round(1000 * functions / product), *PER_THOUSAND))
    print(row('.c files', sources, *SOURCES))
    print()


def text_at(root, revision, path):
    return subprocess.run(['git', '-C', root, 'show', f'{revision}:{path}'], text=True,
                          stdout=subprocess.PIPE, check=True).stdout


def changed_files(root, *revisions):
    """(path at the first revision or None, path at the second, or now, or None) of each C
    file that differs."""
    said = subprocess.run(['git', '-C', root, 'diff', '--name-status', '-M40%', '-l0', *revisions, '--',
                           *(f'{part}/**.[ch]' for part in PARTS)],
                          text=True, stdout=subprocess.PIPE, check=True).stdout
    for line in said.splitlines():
        kind, *paths = line.split('\t')
        yield (None if kind[0] == 'A' else paths[0]), (None if kind[0] == 'D' else paths[-1])


def since(root, revision):
    """Prints how the code lines of each folder have changed."""
    rows = {}
    for old, new in changed_files(root, revision):
        was = code_lines(text_at(root, revision, old)) if old else 0
        now = code_lines((root / new).read_text()) if new else 0
        column = 0 if old is None else 1 if new is None else 2 if now > was else 3
        rows.setdefault(str(pathlib.Path(new or old).parent), [0, 0, 0, 0])[column] += now - was
    line = '{:24} {:>9} {:>9} {:>9} {:>9} {:>9}'.format
    print(line('code lines', 'new files', 'gone', 'grown', 'shrunk', 'sum'))
    for folder, row in sorted(rows.items()):
        print(line(folder, *(f'{n:+}' for n in (*row, sum(row)))))
    for part in (*PARTS, ''):
        sums = [sum(column) for column in zip(*(row for folder, row in rows.items()
                                               if folder.startswith(part)))] or [0] * 4
        print(line(part or 'all', *(f'{n:+}' for n in (*sums, sum(sums)))))


def savings(root, revision):
    """Prints the commits that made the code smaller, and their sum."""
    said = subprocess.run(['git', '-C', root, 'log', '--no-merges', '--format=%h %s', f'{revision}..'],
                          text=True, stdout=subprocess.PIPE, check=True).stdout
    rows = []
    for line in said.splitlines():
        commit = line.split()[0]
        net = sum((code_lines(text_at(root, commit, new)) if new else 0) -
                  (code_lines(text_at(root, commit + '^', old)) if old else 0)
                  for old, new in changed_files(root, commit + '^', commit))
        rows += [(net, line)] if net < 0 else []
    for net, line in sorted(rows):
        print(f'{net:+6} {line}')
    print(f'{sum(net for net, _ in rows):+6} in {len(rows)} commits')


def function_lengths(text):
    """Lines from the brace in the first column to the one that closes it."""
    begin = None
    for number, line in enumerate(text.splitlines()):
        if line == '{':
            begin = number
        elif line == '}' and begin is not None:
            yield number - begin + 1
            begin = None


def public_names(build, source):
    """Functions that the object of source exports."""
    out = subprocess.run(['nm', '-g', str(build / source.with_suffix('.o'))], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return re.findall(r' T (\w+)$', out, re.M)


def rebuilds(build, files):
    """How many objects of ours depend on each header."""
    counts = dict.fromkeys((path for path in files if path.suffix == '.h'), 0)
    for source in files:
        rules = build / source.with_suffix('.d')
        if source.suffix != '.c' or not rules.exists():
            continue
        own = rules.read_text().split('\n\n')[0].split(':')[1]
        for header in set(map(pathlib.Path, own.replace('\\', ' ').split())) & counts.keys():
            counts[header] += 1
    return sorted(counts.items(), key=lambda row: (-row[1], row[0]))


def owners(texts, source):
    """The words that a public name of source may begin with: the file's own, that of a
    type of its header, and for verb_find.c the word of verb.h, which declares it."""
    header = texts.get(source.with_suffix('.h'), '')
    family = [path.stem for path in texts if path.suffix == '.h' and
              path.parent == source.parent and source.stem.startswith(path.stem + '_')]
    return (source.stem, *family,
            *re.findall(r'^(?:struct|enum) (\w+)(?: \{|;)', header, re.M))


def main():
    names_only = '--names' in sys.argv
    rest = [word for word in sys.argv[1:] if not word.startswith('--')]
    revision = rest.pop(0) if '--since' in sys.argv or '--savings' in sys.argv else None
    root = pathlib.Path(rest[0] if rest else '.')
    build = pathlib.Path(rest[1] if len(rest) > 1 else root / 'build')
    if revision:
        (savings if '--savings' in sys.argv else since)(root, revision)
        return
    files = sorted(path.relative_to(root) for part in PARTS[:3]
                   for path in (root / part).rglob('*.[ch]'))
    texts = {path: (root / path).read_text() for path in files}
    sources = [path for path in files if path.suffix == '.c']
    again = rebuilds(build, files)
    if '--rebuilds' in sys.argv:
        for header, count in again:
            print(f'{count:4} {header}')
        return

    foreign = []
    for path in sources:
        foreign += [(path, name) for name in public_names(build, path)
                    if name != 'main' and not name.startswith(owners(texts, path))]
    if names_only:
        for path, name in foreign:
            print(f'{path}: {name}')
        return

    lengths = sorted(n for path in sources for n in function_lengths(texts[path]))
    folders = {}
    for path in files:
        folders[path.parent] = folders.get(path.parent, 0) + 1
    fullest = max(folders, key=folders.get)
    small = [path for path in sources if len(texts[path].splitlines()) < 60]
    modules = {path.with_suffix('') for path in files}
    targets(root, texts)
    print(f'files, modules                           {len(files)}, {len(modules)}')
    print(f'folders; files in the fullest            {len(folders)}; {folders[fullest]} ({fullest})')
    print(f'modules of less than 60 lines            {len(small)}')
    print(f'functions; lines: median, p90, max       {len(lengths)}; '
          f'{statistics.median(lengths):.0f}, {lengths[len(lengths) * 9 // 10]}, {lengths[-1]}')
    game = [f'{count} {header.name}' for header, count in again
            if header.parent.name == 'game'][:4]
    print(f'objects; built again after a change of    {len(sources)}; {", ".join(game)}')
    print(f'public names of neither file nor type     {len(foreign)}: '
          f'{", ".join(name for _, name in foreign)}')


main()
