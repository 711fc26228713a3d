/**
 * How a value was written, where its canonical form has less: in Go, too, a quantity keeps its
 * text. See docs/decisions/0035-values-keep-how-they-were-written.md.
 */

export interface WrittenForm {
  empties?: Set<string>
  quantities?: Map<string, string>
  /** As plain decimal numbers. */
  rounded?: Map<string, string>
  /** Numbers that JavaScript does not hold exactly. */
  literals?: Map<string | number, string>
}

const FORM: unique symbol = Symbol('written form')

type Holder = { readonly [FORM]?: WrittenForm }

export const writtenForm = (holder: object): WrittenForm | undefined => (holder as Holder)[FORM]

/** The form is neither enumerated, copied, encoded nor compared. */
export function changedForm(holder: object): WrittenForm {
  const known = writtenForm(holder)
  if (known !== undefined) return known
  const form: WrittenForm = {}
  Object.defineProperty(holder, FORM, { value: form })
  return form
}
