/**
 * @param prefix the name is a generateName
 * @returns a message without path for each broken rule
 */
export type NameRule = (name: string, prefix: boolean) => string[]
