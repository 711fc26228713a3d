import type * as Monaco from 'monaco-editor/editor/editor.api'
import { activeTab, useEditors } from '../manifests/editors'
import { loadMonaco } from './monaco'
import { uriOf } from './tab-models'

export const EXPLAIN = 'explain-field'

export async function explainAtCursor(editor: Monaco.editor.ICodeEditor): Promise<void> {
  const [model, position] = [editor.getModel(), editor.getPosition()]
  if (model === null || position === null) return
  const [{ fieldAt }, { explain }] = await Promise.all([
    import('./yaml-language'),
    import('../explain/state'),
  ])
  const field = fieldAt(model.getValue(), position)
  const anchor = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
  if (field) explain({ field }, anchor)
}

/** A shown editor needs some frames until it is created. */
const FRAMES = 60

/** Other editors of the page may be open too. */
async function shownEditor(): Promise<Monaco.editor.ICodeEditor | undefined> {
  const monaco = await loadMonaco()
  for (let frame = 0; frame < FRAMES; frame++) {
    const uri = uriOf(monaco, activeTab(useEditors.getState())).toString()
    const editor = monaco.editor
      .getEditors()
      .find((candidate) => candidate.getModel()?.uri.toString() === uri)
    if (editor !== undefined) return editor
    await new Promise(requestAnimationFrame)
  }
  return undefined
}

export async function explainField(): Promise<void> {
  const editor = await shownEditor()
  editor?.focus()
  await editor?.getAction(EXPLAIN)?.run()
}

export async function focusEditor(): Promise<void> {
  const editor = await shownEditor()
  editor?.focus()
}

export async function revealLine(line: number): Promise<void> {
  const editor = await shownEditor()
  editor?.revealLineInCenter(line)
  editor?.setPosition({ lineNumber: line, column: 1 })
  editor?.focus()
}
