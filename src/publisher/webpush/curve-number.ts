/** 32 random bytes as a private key of P-256: below 2²⁵⁵, so that it is never beyond the order of the curve. */
export function curveNumber(bytes: Buffer): Buffer {
  const number = Buffer.from(bytes)
  number.writeUInt8(number.readUInt8(0) & 0x7f, 0)
  return number
}
