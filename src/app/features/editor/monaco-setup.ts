/** A chunk that loads after the first paint. */
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

/** TypeScript's `ModuleDetectionKind.Force`. */
const MODULE_DETECTION_FORCE = 3

typescript.typescriptDefaults.setCompilerOptions({
  target: typescript.ScriptTarget.ES2020,
  module: typescript.ModuleKind.ESNext,
  moduleResolution: typescript.ModuleResolutionKind.NodeJs,
  // Allows top-level await in a script without imports and exports.
  moduleDetection: MODULE_DETECTION_FORCE,
  lib: ['es2022', 'dom'],
  allowNonTsExtensions: true,
  sourceMap: true,
  strict: false,
})
// Top-level await and unused imports are valid in a script.
typescript.typescriptDefaults.setDiagnosticsOptions({ diagnosticCodesToIgnore: [1375, 1378, 1108] })

/** For a color scheme that need not be active. */
function colorsOf(scheme: 'light' | 'dark'): (token: string) => string {
  const probe = document.createElement('i')
  probe.style.colorScheme = scheme
  // In forced colors mode, all colors would be read as one.
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
  const color = colorsOf(scheme)
  const rule = (token: string, name: string, fontStyle = '') => ({
    token,
    foreground: color(name).slice(1),
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
      'editor.background': color('panel'),
      'editor.foreground': color('text'),
      'editorLineNumber.foreground': color('faint'),
      'editorLineNumber.activeForeground': color('text'),
      'editor.lineHighlightBackground': color('sunken'),
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': color('code-selection'),
      'editorIndentGuide.background1': color('line'),
      'editorWidget.background': color('raised'),
      'editorWidget.border': color('line-strong'),
      'scrollbarSlider.background': `${color('line-strong')}80`,
      'scrollbarSlider.hoverBackground': color('line-strong'),
      'diffEditor.insertedTextBackground': `${color('good')}33`,
      'diffEditor.removedTextBackground': `${color('bad')}33`,
      'diffEditor.insertedLineBackground': `${color('good')}18`,
      'diffEditor.removedLineBackground': `${color('bad')}18`,
    },
  })
}

defineTheme('light')
defineTheme('dark')

registerYamlLanguage(monaco)

export { monaco, typescript }
