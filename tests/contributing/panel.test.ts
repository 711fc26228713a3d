/** The steps of CONTRIBUTING.md that add a panel, applied to the sources and type-checked. */
import { join } from 'node:path'
import ts from 'typescript-compiler'
import { expect, it } from 'vitest'
import { blocksOf, insertedAfter, ROOT, sourceOf } from './steps'

const VIEW = 'src/app/state/view.ts'
const TITLES = 'src/app/frame/texts.ts'
const TABS = 'src/app/frame/Activity.tsx'
const COMMANDS = 'src/app/frame/all-commands.ts'

/** Parsing takes most of the time, so both programs share the files on disk. */
const parsed = new Map<string, ts.SourceFile | undefined>()
let earlier: ts.Program | undefined

/** @returns the errors of the changed files, with all others as they are on disk */
function typeErrorsOver(sources: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(sources).map(([file, text]) => [join(ROOT, file), text]))
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
  const host = ts.createCompilerHost(options)
  const { fileExists, directoryExists, readFile, getSourceFile } = host
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  host.directoryExists = (directory) =>
    [...texts.keys()].some((file) => file.startsWith(`${directory}/`)) ||
    directoryExists?.(directory) === true
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  host.getSourceFile = (file, language, ...rest) => {
    const text = texts.get(file)
    if (text !== undefined) return ts.createSourceFile(file, text, language, true)
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, language, ...rest))
    return parsed.get(file)
  }
  const declarations = fileNames.filter((file) => file.endsWith('.d.ts'))
  const program = ts.createProgram([...texts.keys(), ...declarations], options, host, earlier)
  earlier = program
  return [...texts.keys()]
    .flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

const [
  texts = '',
  panel = '',
  commands = '',
  id = '',
  title = '',
  lazyLine = '',
  tab = '',
  count = '',
  importLine = '',
  listed = '',
] = blocksOf('Add a panel with a command')

const files = {
  'src/app/features/rejections/texts.ts': texts,
  'src/app/features/rejections/Rejections.tsx': panel,
  'src/app/features/rejections/commands.ts': commands,
}

const changed = () => ({
  ...files,
  [VIEW]: insertedAfter(sourceOf(VIEW), /\n {2}'console',\n/, id),
  [TITLES]: insertedAfter(sourceOf(TITLES), /\nexport const activityTabs[^\n]*\n/, title),
  [TABS]: insertedAfter(
    insertedAfter(
      insertedAfter(sourceOf(TABS), /\nconst Audit = [^\n]*\n/, lazyLine),
      /\nconst TABS[^\n]*\[\n/,
      tab,
    ),
    /\n {4}audit: '',\n/,
    count,
  ),
  [COMMANDS]: insertedAfter(
    insertedAfter(sourceOf(COMMANDS), /\nimport [^\n]*WATCH_COMMANDS[^\n]*\n/, importLine),
    /\n {2}\.\.\.WATCH_COMMANDS,\n/,
    listed,
  ),
})

it('all steps together have no type error', () => {
  expect(typeErrorsOver(changed())).toEqual([])
}, 120_000)

it('a missing step is a type error', () => {
  const { [VIEW]: _, ...rest } = changed()
  expect(typeErrorsOver(rest)).not.toEqual([])
}, 120_000)

it('the shortcut is free', () => {
  const [, keys] = /keys: '([^']+)'/.exec(commands) ?? []
  expect(keys).toBeDefined()
  expect(sourceOf('src/app/frame/commands.ts')).not.toContain(`'${keys}'`)
})
