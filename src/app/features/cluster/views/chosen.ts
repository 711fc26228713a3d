export interface Chosen {
  apiVersion: string
  kind: string
  namespace: string
  name: string
  uid: string
}

export interface Choice {
  chosen: string | undefined
  onChoose: (what: Chosen) => void
}
