"""Signs and verifies DSSE envelopes with securesystemslib, for comparison.

One JSON object on stdin, one on stdout. {"verify": envelope, "public_pem", "keyid"}
gives {"ok": bool}; {"sign": payload in base64, "payload_type"} gives
{"envelope", "public_pem"}.
"""

import base64
import json
import sys

try:
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        PublicFormat,
        load_pem_public_key,
    )
    from securesystemslib.dsse import Envelope
    from securesystemslib.exceptions import VerificationError
    from securesystemslib.signer import CryptoSigner, SSlibKey
except ImportError as error:
    sys.exit(f"python3 needs securesystemslib and cryptography: {error}")


def verify(envelope, public_pem, keyid):
    key = SSlibKey.from_crypto(load_pem_public_key(public_pem.encode()), keyid)
    try:
        Envelope.from_dict(envelope).verify([key], 1)
    except VerificationError:
        return {"ok": False}
    return {"ok": True}


def sign(payload, payload_type):
    signer = CryptoSigner.generate_ed25519()
    envelope = Envelope(base64.b64decode(payload), payload_type, {})
    envelope.sign(signer)
    public_pem = signer._private_key.public_key().public_bytes(
        Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
    )
    return {"envelope": envelope.to_dict(), "public_pem": public_pem.decode()}


asked = json.load(sys.stdin)
if "verify" in asked:
    answer = verify(asked["verify"], asked["public_pem"], asked["keyid"])
else:
    answer = sign(asked["sign"], asked["payload_type"])
json.dump(answer, sys.stdout)
