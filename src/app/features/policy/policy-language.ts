/** Completes CEL expressions in the YAML of policies. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import type { MonacoApi } from '../editor/monaco'
import { completionItems } from './cel-language'
import { suggestionsAt } from './completion'
import type { CheckedText, PlacedExpression } from './policy-checks'
import { checkedPlaces } from './scalars'

const known = new WeakMap<Monaco.editor.ITextModel, () => CheckedText | undefined>()
let registered = false

/** @param checked the last check of the model's text */
export function registerPolicyLanguage(
  monaco: MonacoApi,
  model: Monaco.editor.ITextModel,
  checked: () => CheckedText | undefined,
): void {
  known.set(model, checked)
  if (registered) return
  registered = true
  monaco.languages.registerCompletionItemProvider('yaml', {
    triggerCharacters: ['.'],
    provideCompletionItems(edited, position) {
      const offset = edited.getOffsetAt(position)
      const text = edited.getValue()
      const found = known.get(edited)?.()?.expressions ?? []
      const here = expressionAt(text, offset, found)
      if (here === undefined) return { suggestions: [] }
      const { expression, at, environment } = here
      return {
        suggestions: completionItems(
          monaco,
          edited,
          position,
          suggestionsAt(expression, at, environment),
        ),
      }
    },
  })
}

/** The last check may belong to an earlier text, so its path locates the expression in this one. */
export function expressionAt(
  text: string,
  offset: number,
  expressions: readonly PlacedExpression[],
):
  | {
      expression: string
      at: number
      environment: PlacedExpression['environment']
      of: PlacedExpression
    }
  | undefined {
  for (const of of expressions) {
    const read = checkedPlaces(text, of.document, of.path)
    if (read === undefined) continue
    const { value, places } = read
    const last = places[places.length - 1] as number
    if (offset < (places[0] as number) || offset > last) continue
    const at = places.findIndex((place) => place >= offset)
    return { expression: value, at: at < 0 ? value.length : at, environment: of.environment, of }
  }
  return undefined
}
