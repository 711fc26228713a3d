/** Few, because the first paint loads them. */

export const PROMPTS = {
  word: 'What does this mean?',
  field: 'What does this field mean?',
} as const
