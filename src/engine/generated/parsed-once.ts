/** A table that most runs never read: parsed when it is first asked for. */
export function parsedOnce<Table>(text: string): () => Table {
  let table: Table | undefined
  return () => {
    table ??= JSON.parse(text) as Table
    return table
  }
}
