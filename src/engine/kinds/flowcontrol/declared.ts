/** Rules that priority levels declare. Recorded from kube-apiserver 1.37. */

import { isJsonObject } from '../../core/object'
import { type Declared, mustBeSet, mustNotBeSet, type Rule } from '../../validation/declared/rules'

/** The handwritten rule rejects the empty value as unsupported or invalid. */
const REQUIRED_CHOICE: Declared = {
  first: [mustBeSet],
  replaces: /^(?:Unsupported|Invalid) value: ""/,
}

const memberOf = (value: unknown, name: string): unknown =>
  isJsonObject(value as never) ? (value as Record<string, unknown>)[name] : undefined

/**
 * Members that exist only in one mode of their structure: forbidden in others.
 * @param choice the member that selects the mode
 * @param modes the member of each mode
 * @param needed modes whose member is required
 */
const ofMode =
  (choice: string, modes: Readonly<Record<string, string>>, needed: readonly string[]): Rule =>
  ({ value, path, ...others }) => {
    const mode = memberOf(value, choice)
    if (!Object.keys(modes).includes(mode as string)) return []
    return Object.entries(modes).flatMap(([name, member]) => {
      if (member === '' || (name === mode && !needed.includes(name))) return []
      const rule = name === mode ? mustBeSet : mustNotBeSet
      const given = memberOf(value, member)
      // An empty structure is set.
      return rule({
        ...others,
        path: `${path}.${member}`,
        value: given === undefined || given === null ? undefined : true,
      })
    })
  }

/** The rules that priority levels declare. */
export const DECLARED_OF_LEVEL: Declared = {
  members: {
    spec: {
      all: [ofMode('type', { Limited: 'limited', Exempt: 'exempt' }, ['Limited'])],
      members: {
        type: REQUIRED_CHOICE,
        limited: {
          members: {
            limitResponse: {
              all: [ofMode('type', { Queue: 'queuing', Reject: '' }, ['Queue'])],
              members: { type: REQUIRED_CHOICE },
            },
          },
        },
      },
    },
  },
}
