// One sun with a soft-edged shadow, a sky above and a floor below that reflects a little.
uniform mat4 worldToShadow;
uniform sampler2DShadow shadowMap;
uniform vec3 toLight;

const vec3 SUN = vec3(1.30, 1.22, 1.08);
const vec3 SKY = vec3(0.50, 0.56, 0.66);
const vec3 BOUNCE = vec3(0.20, 0.18, 0.16);

// How much of the sun arrives, 0 to 1.
float sunlit(vec3 world, vec3 normal) {
    vec2 texel = 1.0 / vec2(textureSize(shadowMap, 0));
    // The map's texels are steps in depth; stepping off the surface keeps it from shading itself.
    vec3 lifted = world + normal * 0.08;
    vec3 at = (worldToShadow * vec4(lifted, 1.0)).xyz * 0.5 + 0.5;
    // Each look-up blends four texels; four look-ups blend the sixteen around the point.
    float sum = 0.0;
    for (int i = 0; i < 4; i++) {
        vec2 aside = vec2((i & 1) * 2 - 1, (i & 2) - 1) * texel;
        sum += texture(shadowMap, vec3(at.xy + aside, at.z));
    }
    return sum / 4.0;
}

vec3 lit(vec3 albedo, vec3 world, vec3 normal) {
    float facing = max(dot(normal, toLight), 0.0);
    float sun = facing > 0.0 ? facing * sunlit(world, normal) : 0.0;
    vec3 ambient = mix(BOUNCE, SKY, 0.5 + 0.5 * normal.y);
    return albedo * (ambient + SUN * sun);
}

// Written to a framebuffer that knows nothing of sRGB, so that every driver shows the same.
vec4 encoded(vec3 linear) {
    return vec4(pow(min(linear, 1.0), vec3(1.0 / 2.2)), 1.0);
}

