export const EXPLANATION = {
  close: 'Close the explanation',
  waiting: 'Waiting for the server …',
  fromServer: 'From the server’s OpenAPI',
  noDescription: 'The server’s OpenAPI does not describe this field.',
  references: 'References',
} as const

export const meaningOf = (title: string): string => `What ${title} means`

export const fieldOf = (kind: string): string => `Field of ${kind}`

export const noEntry = (name: string): string => `The glossary has no entry for ${name}.`
