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
  // Tells at which line of a script something went wrong.
  sourceMap: true,
  strict: false,
})
// Top-level await and unused imports are no mistakes in a script.
typescript.typescriptDefaults.setDiagnosticsOptions({ diagnosticCodesToIgnore: [1375, 1378, 1108] })

/** The page's colours (theme.css) as the editor wants them, for a scheme that need not be the one in force. */
function coloursOf(scheme: 'light' | 'dark'): (token: string) => string {
  const probe = document.createElement('i')
  probe.style.colorScheme = scheme
  // The editor keeps its colours where others are forced (it says so itself): they must not all be read as one.
  probe.style.setProperty('forced-color-adjust', 'none')
  probe.hidden = true
  document.body.append(probe)
  return (token) => {
    probe.style.color = `var(--${token})`
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(
      Number,
    )
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
}

function defineTheme(scheme: 'light' | 'dark'): void {
  const colour = coloursOf(scheme)
  const rule = (token: string, name: string, fontStyle = '') => ({
    token,
    foreground: colour(name).slice(1),
    fontStyle,
  })
  monaco.editor.defineTheme(`kubetab-${scheme}`, {
    base: scheme === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('type', 'code-key'),
      rule('string', 'code-text'),
      rule('string.yaml', 'code-text'),
      rule('number', 'code-number'),
      rule('number.yaml', 'code-number'),
      rule('keyword', 'code-word'),
      rule('comment', 'code-comment', 'italic'),
    ],
    colors: {
      'editor.background': colour('panel'),
      'editor.foreground': colour('text'),
      'editorLineNumber.foreground': colour('faint'),
      'editorLineNumber.activeForeground': colour('text'),
      'editor.lineHighlightBackground': colour('sunken'),
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': colour('code-selection'),
      'editorIndentGuide.background1': colour('line'),
      'editorWidget.background': colour('raised'),
      'editorWidget.border': colour('line-strong'),
      'scrollbarSlider.background': `${colour('line-strong')}80`,
      'scrollbarSlider.hoverBackground': colour('line-strong'),
      'diffEditor.insertedTextBackground': `${colour('good')}33`,
      'diffEditor.removedTextBackground': `${colour('bad')}33`,
      'diffEditor.insertedLineBackground': `${colour('good')}18`,
      'diffEditor.removedLineBackground': `${colour('bad')}18`,
    },
  })
}

defineTheme('light')
defineTheme('dark')

registerYamlLanguage(monaco)

export { monaco, typescript }
