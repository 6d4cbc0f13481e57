/// Fakes of cloud KMSs for which no emulator can be had: what their makers document of the REST
/// interface, as far as the providers use it, with keys of the JDK in memory. They misbehave on
/// request. For tests only; that a provider works with a fake does not prove that it works with the
/// real thing.
@NullMarked
package io.keyward.kms.fakes;

import org.jspecify.annotations.NullMarked;
