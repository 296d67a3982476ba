/**
 * Bullet, a native engine in C++, through its binding Libbulletjme: the box pile, and spaces that a game already has, those of
 * jMonkeyEngine with Minie too.
 *
 * <p>Start reading at {@link dev.escapement.physics.bullet.BulletWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.bullet;

import org.jspecify.annotations.NullMarked;
