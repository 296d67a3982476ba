out vec3 world;
out vec3 normal;
out vec3 local;
flat out vec3 colour;
flat out float glow;

// Linear light: teal, slate, sand, sage, clay, fog. None comes near the marker's colour.
const vec3 PALETTE[6] = vec3[](
    vec3(0.045, 0.250, 0.290), vec3(0.095, 0.165, 0.330), vec3(0.660, 0.440, 0.170),
    vec3(0.215, 0.350, 0.190), vec3(0.480, 0.190, 0.110), vec3(0.400, 0.425, 0.435));
const vec3 MARKER = vec3(1.0, 0.02, 0.22);
const vec3 KINEMATIC = vec3(0.150, 0.155, 0.165);

// Neighbours in the pile have neighbouring numbers, so the number is scrambled before it chooses.
uint scrambled(uint n) {
    n = (n ^ 61u) ^ (n >> 16);
    n *= 9u;
    n ^= n >> 4;
    n *= 0x27d4eb2du;
    return n ^ (n >> 15);
}

vec3 linear(uint rgb) {
    return pow(vec3(rgb >> 16, rgb >> 8 & 255u, rgb & 255u) / 255.0, vec3(2.2));
}

void main() {
    uint chance = scrambled(ownColour < -1.5 ? uint(-2.0 - ownColour) : uint(gl_InstanceID));
    float shade = 0.85 + 0.3 * float((chance >> 8) & 255u) / 255.0;
    glow = isMarker() ? 1.0 : 0.0;
    colour = isMarker() ? MARKER : ownColour >= 0.0 ? linear(uint(ownColour)) : isKinematic() ? KINEMATIC : PALETTE[chance % 6u] * shade;
    world = worldCorner();
    normal = rotated(isRound() ? normalize(corner) : cornerNormal);
    local = isRound() ? vec3(0.0) : corner; // what is round has no edges
    gl_Position = worldToClip * vec4(world, 1.0);
}
