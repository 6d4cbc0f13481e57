/// What the reports of the monitors mean together.
@NullMarked
package io.keyward.core.health;

import org.jspecify.annotations.NullMarked;
