import type * as Monaco from 'monaco-editor/editor/editor.api'
import { editorTheme, type MonacoApi } from './monaco'

export function createEditor(
  monaco: MonacoApi,
  host: HTMLElement,
  options: Monaco.editor.IStandaloneEditorConstructionOptions,
): Monaco.editor.IStandaloneCodeEditor {
  const editor = monaco.editor.create(host, {
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
    // Enter breaks the line, because no completion is selected at first.
    suggest: { selectionMode: 'never', showWords: false },
    wordBasedSuggestions: 'off',
    cursorBlinking: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'solid' : 'blink',
    ...options,
  })
  editor.addCommand(
    monaco.KeyCode.Tab,
    () => editor.trigger('keyboard', 'focusAndAcceptSuggestion', null),
    NONE_SELECTED,
  )
  return editor
}

/** Tab accepts the first completion if none is selected. */
const NONE_SELECTED = 'textInputFocus && suggestWidgetVisible && !suggestWidgetHasFocusedSuggestion'
