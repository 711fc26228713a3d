// Called with each object of a ConversionReview. v1 has a string, "spec.size": "40x70"; v2 has two numbers.
// What it throws is what clients read.
function convert(object, apiVersion) {
  const { size, chest, length, ...rest } = object.spec ?? {}
  if (apiVersion.endsWith('/v2')) {
    const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
    if (width === undefined) throw new Error(`"${size}" is not a size`)
    return { ...object, spec: { ...rest, chest: Number(width), length: Number(height) } }
  }
  return { ...object, spec: { ...rest, size: `${chest}x${length}` } }
}
