/**
 * Bullet, a native engine in C++, through its binding Libbulletjme: around a space that the game has, that of jMonkeyEngine with Minie too.
 *
 * <p>Start reading at {@link dev.escapement.physics.bullet.BulletWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.bullet;

import org.jspecify.annotations.NullMarked;
