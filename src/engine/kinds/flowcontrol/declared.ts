/** Recorded from kube-apiserver 1.37. */

import { isJsonObject } from '../../core/object'
import { type Declared, mustBeSet, mustNotBeSet, type Rule } from '../../validation/declared/rules'

/** The handwritten rule calls it unsupported or invalid. */
const REQUIRED_CHOICE: Declared = {
  first: [mustBeSet],
  replaces: /^(?:Unsupported|Invalid) value: ""/,
}

const memberOf = (value: unknown, name: string): unknown =>
  isJsonObject(value as never) ? (value as Record<string, unknown>)[name] : undefined

/**
 * @param choice selects the mode @param modes member by mode @param needed modes that require
 * theirs
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
      // An empty struct is set.
      return rule({
        ...others,
        path: `${path}.${member}`,
        value: given === undefined || given === null ? undefined : true,
      })
    })
  }

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
