package dev.escapement.physics.ode4j;

import dev.escapement.physics.world.ExistingWorldContract;
import org.jspecify.annotations.NullMarked;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DWorld;

@NullMarked
class Ode4jExistingWorldTest extends ExistingWorldContract<DWorld, DBody> implements Ode4jExistingWorlds {}
