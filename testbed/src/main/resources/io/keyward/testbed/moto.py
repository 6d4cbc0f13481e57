"""Moto, with what AWS KMS does and moto does not:

- Since 2025 answers name the key material that was used. The id is the same for all replicas of a
  multi-region key, and changes with each rotation. (Moto itself goes on using one key material.)
- The id of a multi-region key has 36 characters, and it can be replicated by its ARN. With moto's
  40 it could not decrypt.
- Where a request names the key, a ciphertext of another key is an incorrect key, not denied access.
"""

import base64
import hashlib
import json
import sys

from moto.core.exceptions import JsonRESTError
from moto.kms import models, utils
from moto.kms.responses import KmsResponse
from moto.server import main

materials = {}
generate_key_id = models.generate_key_id
generate_data_key = KmsResponse.generate_data_key
decrypt = KmsResponse.decrypt
replicate_key = models.KmsBackend.replicate_key


def material(backend, name):
    key = backend.keys[backend.any_id_to_key_id(name)]
    return hashlib.sha256(f"{key.id}/{len(key.rotations)}".encode()).hexdigest()


def generate_data_key_with_material(self):
    answer = json.loads(generate_data_key(self))
    answer["KeyMaterialId"] = material(self.kms_backend, self._get_param("KeyId"))
    materials[base64.b64decode(answer["CiphertextBlob"])] = answer["KeyMaterialId"]
    return json.dumps(answer)


def decrypt_with_material(self):
    answer = json.loads(decrypt(self))
    answer["KeyMaterialId"] = materials[self._get_param("CiphertextBlob")]
    return json.dumps(answer)


def incorrect_key(_):
    return JsonRESTError("IncorrectKeyException", "The key ID in the request does not match")


def short_key_id(multi_region=False):
    key_id = generate_key_id(multi_region)
    return "mrk-" + key_id[4:].replace("-", "") if multi_region else key_id


def replicate_key_by_arn(self, key_id, replica_region):
    return replicate_key(self, self.any_id_to_key_id(key_id), replica_region)


KmsResponse.generate_data_key = generate_data_key_with_material
KmsResponse.decrypt = decrypt_with_material
models.KmsBackend.replicate_key = replicate_key_by_arn
models.generate_key_id = short_key_id
models.AccessDeniedException = incorrect_key
utils.AccessDeniedException = incorrect_key
main(sys.argv[1:])
