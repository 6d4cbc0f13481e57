/// What is known about a key: is it usable, and which KEK version is current.
@NullMarked
package io.keyward.kms.plugin.health;

import org.jspecify.annotations.NullMarked;
