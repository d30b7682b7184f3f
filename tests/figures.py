#!/usr/bin/env python3
"""Figures about the sources: how large files and functions are, and whether public names
begin with the name of their file, or of a type that its header declares.

    figures.py [--names | --rebuilds] [ROOT [BUILD_DIR]]

Code lines are lines without comments and blank lines. --names lists the public functions
whose name begins with neither (the symbols of the objects in
BUILD_DIR, "build", tell which are public). --rebuilds lists, for each header, how many
objects are built again when it changes, by the .d files beside the objects.
"""
import pathlib
import re
import statistics
import subprocess
import sys


def code_lines(text):
    """Lines that hold code."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*',
                  lambda m: m.group() if m.group().startswith('"') else
                  '\n' * m.group().count('\n'), text, flags=re.S)
    return sum(1 for line in text.splitlines() if line.strip())


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
    """The words that a public name of source may begin with."""
    header = texts.get(source.with_suffix('.h'), '')
    return (source.stem, *re.findall(r'^(?:struct|enum) (\w+) \{', header, re.M))


def main():
    names_only = '--names' in sys.argv
    rest = [word for word in sys.argv[1:] if not word.startswith('--')]
    root = pathlib.Path(rest[0] if rest else '.')
    build = pathlib.Path(rest[1] if len(rest) > 1 else root / 'build')
    files = sorted(path.relative_to(root) for part in ('common', 'server', 'client')
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
    print(f'code lines, without comments and blanks  {sum(map(code_lines, texts.values()))}')
    print(f'files, modules                           {len(files)}, {len(modules)}')
    print(f'folders; files in the fullest            {len(folders)}; {folders[fullest]} ({fullest})')
    print(f'modules of less than 60 lines            {len(small)}')
    print(f'functions; lines: median, p90, max       {len(lengths)}; '
          f'{statistics.median(lengths):.0f}, {lengths[len(lengths) * 9 // 10]}, {lengths[-1]}')
    game = [f'{count} {header.name}' for header, count in again
            if header.parent.name == 'game'][:4]
    print(f'objects; built again after a change of    {len(sources)}; {", ".join(game)}')
    print(f'public names of neither file nor type     {len(foreign)}')


main()
