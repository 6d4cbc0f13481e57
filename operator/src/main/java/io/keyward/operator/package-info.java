/// The operator as a program: configuration, metrics, leader election, and the sites it works on.
@NullMarked
package io.keyward.operator;

import org.jspecify.annotations.NullMarked;
