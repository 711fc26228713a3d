import type * as Monaco from 'monaco-editor/editor/editor.api'
import type { MonacoApi } from '../editor/monaco'
import type { Suggestion } from './completion'

export const CEL_LANGUAGE = 'cel'

export interface CelContext {
  suggestions(text: string, offset: number): Suggestion[]
  /** Lines of hover text, and the range that they explain. */
  explain(offset: number): { lines: string[]; start: number; end: number } | undefined
}

const known = new WeakMap<Monaco.editor.ITextModel, () => CelContext>()
let registered = false

export function registerCelLanguage(
  monaco: MonacoApi,
  model: Monaco.editor.ITextModel,
  knowledge: () => CelContext,
): void {
  known.set(model, knowledge)
  if (registered) return
  registered = true
  const { languages } = monaco
  languages.register({ id: CEL_LANGUAGE })
  languages.setLanguageConfiguration(CEL_LANGUAGE, CONFIGURATION)
  languages.setMonarchTokensProvider(CEL_LANGUAGE, TOKENS)
  languages.registerCompletionItemProvider(CEL_LANGUAGE, {
    triggerCharacters: ['.'],
    provideCompletionItems: (model, position) => ({
      suggestions: complete(monaco, model, position),
    }),
  })
  languages.registerHoverProvider(CEL_LANGUAGE, { provideHover: explain })
  monaco.editor.setModelLanguage(model, CEL_LANGUAGE)
}

const CONFIGURATION: Monaco.languages.LanguageConfiguration = {
  comments: { lineComment: '//' },
  brackets: [['(', ')'], ['[', ']'], ['{', '}']], // biome-ignore format: one table
  autoClosingPairs: ['()', '[]', '{}', "''", '""'].map(([open = '', close = '']) => ({
    open,
    close,
  })),
}

const TOKENS: Monaco.languages.IMonarchLanguage = {
  words: ['true', 'false', 'null', 'in'],
  loops: ['all', 'exists', 'exists_one', 'map', 'filter', 'has', 'optMap', 'optFlatMap'],
  tokenizer: {
    root: [
      [/\/\/.*/, 'comment'],
      [/[rRbB]{0,2}("""|''')/, { token: 'string', next: '@long.$1' }],
      [/[rRbB]{0,2}"(?:[^"\\]|\\.)*"?/, 'string'],
      [/[rRbB]{0,2}'(?:[^'\\]|\\.)*'?/, 'string'],
      [/\d[\w.]*/, 'number'],
      [
        /[A-Za-z_]\w*/,
        { cases: { '@words': 'keyword', '@loops': 'keyword', '@default': 'identifier' } },
      ],
    ],
    long: [
      [
        /"""|'''/,
        {
          cases: {
            '$1==$S2': { token: 'string', next: '@pop' },
            '$0==$S2': { token: 'string', next: '@pop' },
            '@default': 'string',
          },
        },
      ],
      [/[^"']+|["']/, 'string'],
    ],
  },
}

function complete(
  monaco: MonacoApi,
  model: Monaco.editor.ITextModel,
  position: Monaco.Position,
): Monaco.languages.CompletionItem[] {
  const suggestions =
    known.get(model)?.().suggestions(model.getValue(), model.getOffsetAt(position)) ?? []
  return completionItems(monaco, model, position, suggestions)
}

export function completionItems(
  monaco: MonacoApi,
  model: Monaco.editor.ITextModel,
  position: Monaco.Position,
  suggestions: readonly Suggestion[],
): Monaco.languages.CompletionItem[] {
  const word = model.getWordUntilPosition(position)
  const range = new monaco.Range(
    position.lineNumber,
    word.startColumn,
    position.lineNumber,
    word.endColumn,
  )
  const { CompletionItemKind, CompletionItemInsertTextRule } = monaco.languages
  const kinds = {
    field: CompletionItemKind.Field,
    function: CompletionItemKind.Function,
    variable: CompletionItemKind.Variable,
    word: CompletionItemKind.Keyword,
  }
  return suggestions.map(({ name, kind, detail, insert }, index) => ({
    label: name,
    kind: kinds[kind],
    detail,
    insertText: insert,
    insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet,
    // Fields before functions, otherwise in the found order.
    sortText: String(index).padStart(4, '0'),
    range,
  }))
}

function explain(
  model: Monaco.editor.ITextModel,
  position: Monaco.Position,
): Monaco.languages.Hover | undefined {
  const found = known.get(model)?.().explain(model.getOffsetAt(position))
  if (found === undefined) return undefined
  const [from, to] = [model.getPositionAt(found.start), model.getPositionAt(found.end)]
  const [first = '', ...rest] = found.lines
  return {
    range: {
      startLineNumber: from.lineNumber,
      startColumn: from.column,
      endLineNumber: to.lineNumber,
      endColumn: to.column,
    },
    // Cluster values go in a code block, which Monaco never reads as markup.
    contents: [{ value: fenced(first) }, ...rest.map((value) => ({ value: fenced(value) }))],
  }
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${CEL_LANGUAGE}\n${text}\n${fence}`
}
