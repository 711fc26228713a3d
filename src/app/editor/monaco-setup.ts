/** Monaco with what this page uses of it: YAML and TypeScript. Loaded after the first paint, as a chunk of its own. */
import * as monaco from 'monaco-editor/editor/editor.api'
import 'monaco-editor/features/register.all'
import 'monaco-editor/languages/definitions/typescript/register'
import 'monaco-editor/languages/definitions/yaml/register'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import * as typescript from 'monaco-editor/languages/features/typescript/register'
import TypeScriptWorker from 'monaco-editor/languages/features/typescript/ts.worker?worker'
import { registerYamlLanguage } from './yaml-language'

self.MonacoEnvironment = {
  getWorker: (_id: string, label: string) =>
    label === 'typescript' || label === 'javascript' ? new TypeScriptWorker() : new EditorWorker(),
}

typescript.typescriptDefaults.setCompilerOptions({
  target: typescript.ScriptTarget.ES2020,
  module: typescript.ModuleKind.ESNext,
  moduleResolution: typescript.ModuleResolutionKind.NodeJs,
  lib: ['es2022', 'dom'],
  allowNonTsExtensions: true,
  strict: false,
})
// Top-level await and unused imports are no mistakes in a script.
typescript.typescriptDefaults.setDiagnosticsOptions({ diagnosticCodesToIgnore: [1375, 1378, 1108] })

interface ThemeColours {
  base: 'vs' | 'vs-dark'
  text: string
  soft: string
  key: string
  value: string
  number: string
  panel: string
  line: string
  selection: string
}

function defineTheme(name: string, colours: ThemeColours): void {
  const plain = (colour: string) => colour.replace('#', '')
  monaco.editor.defineTheme(name, {
    base: colours.base,
    inherit: true,
    rules: [
      { token: 'type', foreground: plain(colours.key) },
      { token: 'string', foreground: plain(colours.value) },
      { token: 'number', foreground: plain(colours.number) },
      { token: 'comment', foreground: plain(colours.soft), fontStyle: 'italic' },
    ],
    colors: {
      'editor.background': colours.panel,
      'editor.foreground': colours.text,
      'editorLineNumber.foreground': colours.soft,
      'editorLineNumber.activeForeground': colours.text,
      'editor.lineHighlightBackground': colours.line,
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': colours.selection,
      'editorIndentGuide.background1': colours.line,
    },
  })
}

defineTheme('kubetab-light', {
  base: 'vs',
  text: '#171b24',
  soft: '#6b7482',
  key: '#3558d6',
  value: '#13795b',
  number: '#9a4a12',
  panel: '#ffffff',
  line: '#f3f5f8',
  selection: '#dbe4ff',
})
defineTheme('kubetab-dark', {
  base: 'vs-dark',
  text: '#e6e9ef',
  soft: '#8791a1',
  key: '#8ea6ff',
  value: '#5ccba4',
  number: '#f0a070',
  panel: '#14181f',
  line: '#1a1f28',
  selection: '#2a3a6b',
})

registerYamlLanguage(monaco)

export { monaco, typescript }
