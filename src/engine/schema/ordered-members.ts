import { type Json, type JsonObject, setMember } from '../core/object'
import type { Field } from './model'

/** Insertion sort: few members are out of order. */
export class OrderedMembers {
  private readonly fields: Field[] = []
  private readonly values: Json[] = []

  put(field: Field, value: Json): void {
    const { fields, values } = this
    let at = fields.length
    for (; at > 0 && (fields[at - 1] as Field).index > field.index; at--) {
      fields[at] = fields[at - 1] as Field
      values[at] = values[at - 1] as Json
    }
    fields[at] = field
    values[at] = value
  }

  has(field: Field): boolean {
    return this.fields.includes(field)
  }

  object(): JsonObject {
    const { fields, values } = this
    const object: JsonObject = {}
    for (let i = 0; i < fields.length; i++)
      setMember(object, (fields[i] as Field).name, values[i] as Json)
    return object
  }
}
