/** The contents of a known container image, as far as the simulation shows them. */
export interface Image {
  /** The repository without registry and tag. */
  name: string
  /** Texts by absolute path. A path that ends with a slash is an empty directory. */
  files: Readonly<Record<string, string>>
  /** Absolute paths of programs. */
  programs: readonly string[]
  workingDir: string
  /** The program that runs without a command, and its default arguments. */
  entrypoint?: readonly string[]
  arguments?: readonly string[]
}
