/** How every editor of the page looks and behaves. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import { editorTheme, type MonacoApi } from './monaco'

/** @param options what this one has of its own */
export function createEditor(
  monaco: MonacoApi,
  host: HTMLElement,
  options: Monaco.editor.IStandaloneEditorConstructionOptions,
): Monaco.editor.IStandaloneCodeEditor {
  return monaco.editor.create(host, {
    model: null,
    theme: editorTheme(),
    automaticLayout: true,
    minimap: { enabled: false },
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
    fontSize: 12.5,
    lineHeight: 20,
    lineNumbersMinChars: 4,
    lineDecorationsWidth: 8,
    glyphMargin: false,
    folding: host.clientWidth > 480,
    padding: { top: 10, bottom: 10 },
    scrollBeyondLastLine: false,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    tabSize: 2,
    renderLineHighlight: 'line',
    overviewRulerLanes: 0,
    overviewRulerBorder: false,
    fixedOverflowWidgets: true,
    bracketPairColorization: { enabled: false },
    quickSuggestions: { other: true, comments: false, strings: true },
    cursorBlinking: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'solid' : 'blink',
    ...options,
  })
}

/** Nothing of the editor itself is open that Escape closes. */
export const NOTHING_OPEN =
  '!suggestWidgetVisible && !findWidgetVisible && !editorHasSelection && !parameterHintsVisible && !markersNavigationVisible && !inSnippetMode'
