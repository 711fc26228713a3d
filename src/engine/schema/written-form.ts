/**
 * How a value was written, where its canonical form has less. It belongs to the value, as in Go's
 * decoded structures (a quantity keeps its text, an empty slice is not nil), and ends with it. A
 * request's context cannot hold it: values move between requests' stages, and messages print any
 * part of an object. See docs/decisions/0035-values-keep-how-they-were-written.md.
 */

/** The members of an object, or the items of a list, that were written differently. */
export interface WrittenForm {
  /** Empty lists and maps, which decoding omits. */
  empties?: Set<string>
  /** Texts of quantities, which decoding makes canonical. */
  quantities?: Map<string, string>
  /** Quantities that rounding changed, as plain decimal numbers. */
  rounded?: Map<string, string>
  /** Numbers that a JavaScript number holds less exactly. */
  literals?: Map<string | number, string>
}

const FORM: unique symbol = Symbol('written form')

type Holder = { readonly [FORM]?: WrittenForm }

/** @returns undefined for a value that was written in canonical form, as most are */
export const writtenForm = (holder: object): WrittenForm | undefined => (holder as Holder)[FORM]

/** The form of a value, to be changed. It is neither enumerated, copied, encoded nor compared. */
export function changedForm(holder: object): WrittenForm {
  const known = writtenForm(holder)
  if (known !== undefined) return known
  const form: WrittenForm = {}
  Object.defineProperty(holder, FORM, { value: form })
  return form
}
